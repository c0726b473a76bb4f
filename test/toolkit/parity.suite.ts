import { type Envelope, isEnvelope } from "@foundry-mcp/contract";
import type { Registry } from "@foundry-mcp/toolkit";
import { toArgv } from "@foundry-mcp/toolkit/cli";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "./command-line.ts";
import { leavesOf, withValueAt } from "./schema-leaves.ts";
import type { SdkClient } from "./sdk-clients.ts";

type Args = Readonly<Record<string, unknown>>;
/** Asks the server in process; the answer must be a success. */
export type Ask = (tool: string, args: Args) => Promise<Envelope>;
/** A value, or a function that finds a valid one. */
type Value = unknown | ((ask: Ask) => Promise<unknown>);

/** The calls that show the effect of an action's parameters. */
export interface ParityRow {
  /** Valid arguments, or a function that finds them. */
  readonly base?: Args | ((ask: Ask) => Promise<Args>);
  /** For every leaf of the input schema, such as `phases[].tasks[].title`, a value that changes the response. */
  readonly effects?: Readonly<Record<string, Value>>;
  /** For a leaf that depends on others: the base arguments for it. */
  readonly beside?: Readonly<Record<string, Args>>;
  /** Responses always differ, so only success or failure is compared. */
  readonly isMoving?: boolean;
}

/** By tool and action, such as `notes list`; a plain tool by its name alone. */
export type ParityTable = Readonly<Record<string, ParityRow>>;

/** A budget of one token shows in every response that is longer than its notice. */
const everyAction = { max_tokens: 1 };
const longerThanNotice = 1_500;

/**
 * Checks that MCP and the command line respond alike: every action, every alias of a tool, an action
 * and a parameter, and every leaf of every input schema with a value whose effect shows.
 */
export function describeParity(
  registry: Registry,
  connect: () => Promise<SdkClient>,
  table: ParityTable,
  /** The names of the compared tools. */
  names?: readonly string[],
): void {
  let client: SdkClient;
  beforeAll(async () => {
    client = await connect();
  });

  const ask: Ask = (tool, args) => registry.call(tool, args, { requestId: "parity" });
  const overMcp = async (tool: string, args: Args): Promise<unknown> => {
    const meta = { "foundry-mcp/request_id": "parity" };
    const { structuredContent } = await client.callTool({ name: tool, arguments: args, _meta: meta });
    return structuredContent;
  };
  const overCli = async (tool: string, args: Args): Promise<unknown> => {
    // The command line has no default budget.
    const argv = [...toArgv(registry, tool, { max_tokens: 20_000, ...args }), "--request-id", "parity"];
    const { stdout } = await runCommand(registry, argv);
    return JSON.parse(stdout);
  };
  /** The answer that both surfaces give; a call that always gives the same one is made once on each. */
  const answers = new Map<string, Promise<unknown>>();
  const answer = (tool: string, args: Args, isMoving = false): Promise<unknown> => {
    const key = JSON.stringify([tool, args]);
    const known = isMoving ? undefined : answers.get(key);
    const asked = known ?? compare(tool, args, isMoving ? outline : whole);
    if (!isMoving) answers.set(key, asked);
    return asked;
  };
  const compare = async (tool: string, args: Args, settle: (envelope: unknown) => unknown) => {
    const [mcp, cli] = [settle(await overMcp(tool, args)), settle(await overCli(tool, args))];
    expect(cli, `${tool} ${JSON.stringify(args)}`).toEqual(mcp);
    return mcp;
  };

  const compared = registry.tools.filter(({ name }) => names?.includes(name) ?? true);
  const rows = compared.flatMap((tool) =>
    [...tool.actions.values()].map((action) => {
      const key = tool.isPlain ? tool.name : `${tool.name} ${action.name}`;
      return { key, tool, action };
    }),
  );

  const leaves = rows.flatMap(({ key, action }) =>
    leavesOf(action.input.json).map((leaf) => `${key} ${leaf}`),
  );

  it(`has a row for each of ${rows.length} actions, and a value for each of ${leaves.length} leaves`, () => {
    expect(Object.keys(table).toSorted()).toEqual(rows.map(({ key }) => key).toSorted());
    const told = rows.flatMap(({ key }) =>
      Object.keys({ ...table[key]?.effects, ...everyAction }).map((leaf) => `${key} ${leaf}`),
    );
    expect(told.toSorted()).toEqual(leaves.toSorted());
    const nested = leaves.filter((leaf) => /[.[]/.test(leaf.split(" ").at(-1) ?? ""));
    process.stdout.write(
      `Parity: ${leaves.length} leaves of ${rows.length} actions, ${nested.length} of them nested\n`,
    );
  });

  describe.each(rows)("$key", ({ key, tool, action }) => {
    const { base = {}, effects = {}, beside = {}, isMoving } = table[key] ?? {};
    const named = async (name = action.name): Promise<Args> => {
      const args = typeof base === "function" ? await base(ask) : base;
      return tool.isPlain ? args : { action: name, ...args };
    };

    it("answers alike", async () => {
      expect(await answer(tool.name, await named(), isMoving)).toBeDefined();
    });

    it.each(Object.entries({ ...effects, ...everyAction }))("takes %s, and it shows", async (name, given) => {
      const args = { ...(await named()), ...beside[name] };
      const value =
        typeof given === "function" ? await (given as (ask: Ask) => Promise<unknown>)(ask) : given;
      const [without, withIt] = [
        await answer(tool.name, args, isMoving),
        await answer(tool.name, withValueAt(args, name, value), isMoving),
      ];
      const mayBeWhole = name in everyAction && JSON.stringify(without).length < longerThanNotice;
      if (!mayBeWhole) expect(withIt).not.toEqual(without);
    });

    const aliases = [
      ...(tool.aliases ?? []).map((alias) => [alias, action.name] as const),
      ...(action.definition.aliases ?? []).map((alias) => [tool.name, alias] as const),
    ];
    it.each(aliases)("is the same as %s %s", async (toolName, actionName) => {
      expect(await answer(toolName, await named(actionName))).toEqual(await answer(tool.name, await named()));
    });

    it.each(Object.entries(action.definition.parameterAliases ?? {}))(
      "takes %s for %s",
      async (alias, name) => {
        const { [name]: value, ...rest } = { ...(await named()) };
        expect(await answer(tool.name, { ...rest, [alias]: value })).toEqual(
          await answer(tool.name, await named()),
        );
      },
    );
  });
}

/** The envelope without the values that differ between calls or surfaces. */
function whole(envelope: unknown): unknown {
  expect(isEnvelope(envelope)).toBe(true);
  const { meta, data, ...rest } = envelope as Envelope;
  const { client, surface, uptime_seconds, load, checks, remediation, ...told } = data;
  // Each surface writes the same remedy in its own words.
  const advice = "remedy" in told ? {} : { remediation };
  const details = meta.warning_details?.map((each) =>
    each.context?.["remedy"] === undefined ? each : { ...each, message: "" },
  );
  const written = new Set(
    meta.warning_details?.flatMap(({ message, context }) =>
      context?.["remedy"] === undefined ? [] : [message],
    ),
  );
  const warnings = meta.warnings?.map((text) => (written.has(text) ? "" : text));
  const diagnostics = told["diagnostics"];
  const rows = Array.isArray(diagnostics)
    ? { diagnostics: diagnostics.map((row) => ("remedy" in row ? { ...row, suggested_fix: "" } : row)) }
    : {};
  return {
    ...rest,
    data: { ...told, ...rows, ...advice },
    meta: { ...meta, warnings, warning_details: details, telemetry: undefined },
  };
}

/** Success, or the error code, of a call. */
function outline(envelope: unknown): unknown {
  expect(isEnvelope(envelope)).toBe(true);
  const { success, data, meta } = envelope as Envelope;
  const { content_fidelity, pagination } = meta;
  return { success, code: data["error_code"], fidelity: content_fidelity, rows: pagination?.page_size };
}
