import type { CommandContext, ProgramCommand } from "@foundry-mcp/toolkit/cli";
import { pluralize } from "@foundry-mcp/toolkit/cli";
import { type SettingName, settings, toOption, toOptionName } from "../config/settings.ts";
import { programName } from "../program/program-name.ts";
import type { CommandDeps } from "./program-commands.ts";
import { toOptionLine } from "./to-option-line.ts";

/** The settings that `gateway` takes as options. */
const gatewaySettings = [
  "dialect",
  "max_tokens",
  "tier",
  "rate_limit",
  "archive_dir",
  "store",
  "workspace",
  "log_level",
  "allowed_hosts",
  "metrics",
  "host",
  "port",
] as const satisfies readonly SettingName[];

/** The settings that only a server over HTTP has. */
const httpSettings: readonly SettingName[] = ["allowed_hosts", "host", "port"];

/** The settings whose defaults differ from those of `serve`. */
const ownDescriptions: Partial<Record<SettingName, string>> = {
  archive_dir: "Folder for content that was left out of shortened answers (default: in memory)",
  store:
    "file, or the address of a database in which several gateways share limits, left-out content and counts",
};

/** Creates the command `gateway`, which serves other MCP servers until it is stopped. */
export function createGatewayCommand({ load, flags }: CommandDeps): ProgramCommand {
  return {
    name: "gateway",
    description: "Serve other MCP servers with one envelope for every answer, over stdio or HTTP",
    arguments: [
      {
        name: "command",
        description:
          "Command that starts the only server, after --; or status, to ask a running gateway; login NAME, to log in at a server of the config; or approve, to approve the tools of the config",
        isRepeated: true,
      },
    ],
    options: [
      {
        flags: "--config <file>",
        description:
          "File in the format of .mcp.json with the servers; its section gateway chooses their tools",
      },
      {
        flags: "--http",
        description: "Serve HTTP instead of stdio; so do --host, --port and --allowed-hosts",
      },
      {
        flags: "--dry-run",
        description: "List the tools that would be served and the tokens of their definitions, and exit",
      },
      {
        flags: "--url <url>",
        description: "For status: URL of the gateway (default: host and port of the settings)",
      },
      { flags: "--watch", description: "For status: print the status again every two seconds until Ctrl-C" },
      ...gatewaySettings.map((name) => ({
        flags: `${toOption(name)} <value>`,
        description: ownDescriptions[name] ?? settings[name].about,
      })),
    ],
    async run(values, { output, operands }) {
      for (const name of gatewaySettings) {
        const value = values[toOptionName(name)];
        if (typeof value === "string") flags[name] = value;
      }
      const config = typeof values["config"] === "string" ? values["config"] : undefined;
      if (config === undefined && operands.length === 1 && operands[0] === "status") {
        const { host, port } = (await load()).values;
        const url = typeof values["url"] === "string" ? values["url"] : `http://${host}:${port}`;
        await showStatus(url, output, values["watch"] === true);
        return;
      }
      if (operands.length === 2 && operands[0] === "login" && config !== undefined) {
        const { loginAtServer } = await import("../app/run-gateway.ts");
        const envelope = await loginAtServer(operands[1] ?? "", config);
        const text = output === "human" ? `Logged in at ${operands[1]}.` : JSON.stringify(envelope);
        process.stdout.write(`${text}\n`);
        process.exit(0);
      }
      const isApproval = operands[0] === "approve" && (operands.length === 1) === (config !== undefined);
      const source = { config, command: isApproval ? operands.slice(1) : operands };
      if (isApproval) {
        const { approveTools } = await import("../app/run-gateway.ts");
        const envelope = await approveTools(source, await load());
        const { approved, missing } = envelope.data;
        const lines = [
          `Approved ${pluralize(approved.length, "tool")}.`,
          ...missing.map((name) => `Not reached, so unchanged: ${name}`),
        ];
        process.stdout.write(`${output === "human" ? lines.join("\n") : JSON.stringify(envelope)}\n`);
        process.exit(missing.length === 0 ? 0 : 1);
      }
      const { planGateway, runGateway } = await import("../app/run-gateway.ts");
      if (values["dry-run"] === true) {
        const { printPlan } = await import("../gateway/plan/print-plan.ts");
        const plan = await planGateway(source, await load());
        process.stdout.write(printPlan(plan, output));
        // A script that checks a configuration must see that nothing would be served.
        const isReached = plan.success && plan.data.upstreams.some(({ state }) => state === "ready");
        process.exit(isReached ? 0 : 1);
      }
      const isHttp = values["http"] === true || httpSettings.some((name) => flags[name] !== undefined);
      const words = [...programName.split(" "), "gateway", "--http"];
      const sourceWords = config === undefined ? ["--", ...operands] : ["--config", config];
      await runGateway(source, await load(), {
        isHttp,
        toPortCommand: (port) => toOptionLine(words, { ...flags, port: String(port) }, sourceWords),
      });
    },
  };
}

const watchPeriodMs = 2_000;

/** Prints the status of a running gateway, and ends the process. */
async function showStatus(url: string, output: CommandContext["output"], watches: boolean): Promise<void> {
  const [{ readStatus }, { printStatus }] = await Promise.all([
    import("../gateway/status/read-status.ts"),
    import("../gateway/status/print-status.ts"),
  ]);
  const read = () =>
    readStatus({
      url,
      token: process.env["FOUNDRY_TOKEN"],
      startCommand: `${programName} gateway --http --config .mcp.json`,
    });
  let envelope = await read();
  // A terminal shows one status at a time; a file or a program gets one after the other.
  const clear = watches && process.stdout.isTTY ? "\x1b[H\x1b[2J" : "";
  process.stdout.write(clear + printStatus(envelope, output));
  while (watches && envelope.success) {
    await new Promise((resolve) => setTimeout(resolve, watchPeriodMs));
    envelope = await read();
    process.stdout.write(clear + printStatus(envelope, output));
  }
  process.exit(envelope.success ? 0 : 1);
}
