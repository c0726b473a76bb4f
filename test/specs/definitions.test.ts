import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { createCliRegistry } from "#built/foundry/app/create-cli-registry.js";
import { openWorkspace } from "#built/foundry/app/open-workspace.js";
import { loadSettings } from "#built/foundry/config/load-settings.js";
import { runCommand } from "../toolkit/command-line.ts";
import { openStdioServer, plainEnv, serverScript } from "./programs.ts";
import { createWorkspace } from "./workspace.ts";

/** Returns the tools as the server sends them. The clients of the SDKs leave out keys that they do not know. */
async function listRawTools(cwd: string, tools: string): Promise<readonly unknown[]> {
  const child = spawn(process.execPath, [serverScript, "--tools", tools], {
    cwd,
    env: plainEnv(cwd),
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = createInterface({ input: child.stdout });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const client = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  };
  send({ id: 1, method: "initialize", params: client });
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/list" });
  for await (const line of lines) {
    const { id, result } = JSON.parse(line) as { id?: number; result?: { tools: readonly unknown[] } };
    if (id !== 2) continue;
    child.stdin.end();
    await once(child, "close");
    return result?.tools ?? [];
  }
  throw new Error("the server ended without an answer");
}

describe("the definitions of tools", () => {
  it("show every required parameter in the brackets of its action", async () => {
    const workspace = await createWorkspace();
    const server = await openStdioServer(workspace.folder, ["--tools", "all"]);
    try {
      const tools = await server.listTools();
      const signatures = new Map(
        tools.flatMap(({ name, inputSchema }) => {
          const { action } = inputSchema["properties"] as { action: { description: string } };
          return action.description.split("\n").map((line): [string, string] => {
            const [, taken = "", parameters = ""] = /^([\w-]+)\(([^)]*)\)/.exec(line) ?? [];
            return [`${name} ${taken}`, parameters];
          });
        }),
      );
      for (const { name, tool, action } of commands) {
        const signature = signatures.get(name);
        if (signature === undefined) continue;
        const shown = signature.split(", ").filter((each) => each !== "");
        const needed = [...action.input.parameters].flatMap(([key, { isRequired }]) =>
          isRequired ? [key] : [],
        );
        expect([name, shown]).toEqual([name, needed]);
        // This list would lack a confirmation that only the action itself requests. Some confirmations are needed for
        // one parameter.
        const confirm = action.input.parameters.get("confirm");
        const isAlwaysNeeded = !/ (?:for|if) /.test(String(confirm?.json["description"]));
        if (confirm !== undefined && tool.name !== "store" && isAlwaysNeeded)
          expect([name, shown.includes("confirm")]).toEqual([name, true]);
      }
      expect(signatures.get("research delete")).toBe("research_id, confirm");
    } finally {
      await server.close();
      await workspace.remove();
    }
  });

  it.each([
    ["core", 3_000],
    ["all", 8_000],
    ["reference", 8_000],
  ])("that --tools %s lists take fewer than %i tokens, with every key that is sent", async (tools, max) => {
    const workspace = await createWorkspace();
    try {
      const definitions = await listRawTools(workspace.folder, tools);
      expect(definitions.length).toBeGreaterThan(4);
      const count = encode(JSON.stringify(definitions)).length;
      process.stdout.write(`--tools ${tools}: ${definitions.length} tools, ${count} tokens\n`);
      expect(count).toBeLessThan(max);
    } finally {
      await workspace.remove();
    }
  });
});

const load = () => loadSettings({ env: {}, cwd: "/" });
const registry = createCliRegistry({ load, cwd: "/", workspace: openWorkspace(load, "/") });
const commands = registry.tools.flatMap((tool) =>
  [...tool.actions.values()]
    .filter(({ definition }) => definition.cli !== false)
    .map((action) => ({ name: `${tool.name} ${action.name}`, tool, action })),
);

describe("every command", () => {
  it.each(commands)("$name has an example that its schema takes, and shows it", async ({ tool, action }) => {
    const { cli, examples = [], input } = action.definition;
    expect(examples.length).toBeGreaterThan(0);
    const schema = typeof input === "function" ? input() : input;
    for (const { args } of examples) {
      const known = Object.keys(args).filter((name) => !action.input.parameters.has(name));
      const { limit: _, ...own } = args;
      const checked = await schema?.["~standard"].validate(own);
      expect({ known, issues: checked?.issues }).toEqual({ known: [], issues: undefined });
    }
    const placed = cli === false ? undefined : cli?.command;
    const words = placed ?? `${tool.name} ${action.name}`;
    const { stdout } = await runCommand(registry, [...words.split(" "), "--help"]);
    for (const { title } of examples) expect(stdout).toContain(`  # ${title}\n`);
  });
});
