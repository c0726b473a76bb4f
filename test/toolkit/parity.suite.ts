import { type Envelope, isEnvelope, isRecord } from "@foundry-mcp/contract";
import type { Registry } from "@foundry-mcp/toolkit";
import { toArgv } from "@foundry-mcp/toolkit/cli";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "./command-line.ts";
import { withPlainNames } from "./plain-names.ts";
import { leavesOf, withValueAt } from "./schema-leaves.ts";
import type { SdkClient } from "./sdk-clients.ts";

type Args = Readonly<Record<string, unknown>>;
/** Calls the server in process. Throws unless the answer is a success. */
export type Ask = (tool: string, args: Args) => Promise<Envelope>;
/** A value, or a function that finds a valid value. */
type Value = unknown | ((ask: Ask) => Promise<unknown>);

/** The calls that show the effect of an action's parameters. */
export interface ParityRow {
  /** Valid arguments, or a function that finds valid arguments. */
  readonly base?: Args | ((ask: Ask) => Promise<Args>);
  /** For every leaf of the input schema, such as `phases[].tasks[].title`, a value that changes the response. */
  readonly effects?: Readonly<Record<string, Value>>;
  /** The base arguments for a leaf that depends on other parameters. */
  readonly beside?: Readonly<Record<string, Args>>;
  /** True if responses always differ, so that only success or failure is compared. */
  readonly isMoving?: boolean;
}

/** Two ways to make the same call. */
export interface ParitySurfaces {
  readonly ask: Ask;
  overMcp(tool: string, args: Args): Promise<unknown>;
  overCli(tool: string, args: Args): Promise<unknown>;
}

/** The rows by tool and action, such as `notes list`. A plain tool has only its name. */
export type ParityTable = Readonly<Record<string, ParityRow>>;

/**
 * The arguments of every action. A budget of one token has an effect on every response that is longer than its
 * notice.
 */
const everyAction = { max_tokens: 1 };
const longerThanNotice = 1_500;

/**
 * Checks that MCP and the command line respond in the same way. The checks cover every action, every alias of a tool,
 * an action and a parameter, and every leaf of every input schema. Each leaf has a value with a visible effect.
 */
export function describeParity(
  registry: Registry,
  connect: (() => Promise<SdkClient>) | ParitySurfaces,
  table: ParityTable,
  /** The names of the compared tools. */
  names?: readonly string[],
  /** Actions that another test compares. */
  leftOut: readonly string[] = [],
): void {
  const { ask, overMcp, overCli } = typeof connect === "object" ? connect : inProcess(registry, connect);
  /** The answers of both surfaces. A call whose answer is constant is made only once on each surface. */
  const answers = new Map<string, Promise<unknown>>();
  const answer = (tool: string, args: Args, isMoving = false): Promise<unknown> => {
    const key = JSON.stringify([tool, args]);
    const known = isMoving ? undefined : answers.get(key);
    const asked = known ?? compare(tool, args, isMoving ? outline : whole);
    if (!isMoving) answers.set(key, asked);
    return asked;
  };
  const compare = async (tool: string, args: Args, settle: (envelope: unknown) => unknown) => {
    const answered = await overCli(tool, args);
    expect(callsIn(answered), `${tool} ${JSON.stringify(args)}`).toEqual([]);
    const [mcp, cli] = [await overMcp(tool, args), answered].map((each) => withPlainNames(settle(each)));
    expect(cli, `${tool} ${JSON.stringify(args)}`).toEqual(mcp);
    return mcp;
  };

  const compared = registry.tools.filter(({ name }) => names?.includes(name) ?? true);
  const rows = compared.flatMap((tool) =>
    [...tool.actions.values()].flatMap((action) => {
      const key = tool.isPlain ? tool.name : `${tool.name} ${action.name}`;
      return leftOut.includes(key) ? [] : [{ key, tool, action }];
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

  // Calls that start programs wait for their processes, so a few calls run concurrently.
  const concurrent = typeof connect === "object";
  describe.each(rows)("$key", { concurrent }, ({ key, tool, action }) => {
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
      const without = await answer(tool.name, args, isMoving);
      const changed = withValueAt(args, name, value);
      // The notice of a reduced answer contains a call, whose length differs between surfaces. An answer about as
      // long as its notice is therefore reduced on one surface but not on the other. Each surface has to send either
      // the same answer as without a budget, or a reduced one that says so.
      if (name in everyAction && lengthOf(without) < longerThanNotice)
        for (const ask of [overCli, overMcp])
          expectWholeOrReduced(await ask(tool.name, changed), without, isMoving ? outline : whole);
      else expect(await answer(tool.name, changed, isMoving)).not.toEqual(without);
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

/** Returns the default surfaces: an MCP client, and a command line in this process. */
function inProcess(registry: Registry, connect: () => Promise<SdkClient>): ParitySurfaces {
  let client: SdkClient;
  beforeAll(async () => {
    client = await connect();
  });
  return {
    ask: (tool, args) => registry.call(tool, args, { requestId: "parity" }),
    async overMcp(tool, args) {
      const meta = { "foundry-mcp/request_id": "parity" };
      const { structuredContent } = await client.callTool({ name: tool, arguments: args, _meta: meta });
      return structuredContent;
    },
    async overCli(tool, args) {
      const { stdout } = await runCommand(registry, toParityArgv(registry, tool, args));
      return JSON.parse(stdout);
    },
  };
}

/** Returns the arguments of a call on the command line, which has no budget. */
export function toParityArgv(registry: Registry, tool: string, args: Args): readonly string[] {
  return [...toArgv(registry, tool, { max_tokens: 20_000, ...args }), "--request-id", "parity"];
}

/** Returns the envelope without the values that differ between calls or surfaces. */
function whole(envelope: unknown): unknown {
  expect(isEnvelope(envelope)).toBe(true);
  const { meta, data, ...rest } = envelope as Envelope;
  const { client, surface, uptime_seconds, load, checks, remediation, ...told } = data;
  // Each surface formats the same remedy differently.
  const advice = "remedy" in told ? {} : { remediation };
  const diagnostics = told["diagnostics"];
  const rows = Array.isArray(diagnostics)
    ? { diagnostics: diagnostics.map((row) => ("remedy" in row ? { ...row, suggested_fix: "" } : row)) }
    : {};
  return {
    ...rest,
    data: { ...told, ...rows, ...advice },
    meta: { ...withoutAdvice(meta), telemetry: undefined },
  };
}

/** Returns the meta without the texts of warnings that have a remedy, because each surface formats them differently. */
function withoutAdvice({ warnings, warning_details: details = [], ...meta }: Envelope["meta"]): object {
  const advised = details.filter(({ context }) => context !== undefined && "remedy" in context);
  const messages = advised.map(({ message }) => message);
  return {
    ...meta,
    warnings: warnings?.filter((text) => !messages.includes(text)),
    warning_details: details.map((each) => (advised.includes(each) ? { ...each, message: "" } : each)),
  };
}

/** Returns the parts of a command-line answer that contain an MCP call, which cannot be typed there. */
function callsIn(envelope: unknown): readonly string[] {
  const { data, meta } = envelope as Envelope;
  return [data["remediation"], ...(meta.warnings ?? [])]
    .map(String)
    .filter((text) => /\w\(action=/.test(text));
}

/** Returns the length of an answer, without the files that the heavy test adds to it. */
function lengthOf(answer: unknown): number {
  return JSON.stringify(answer, (key, value) => (key === "files_after" ? undefined : (value as unknown)))
    .length;
}

/**
 * Expects the answer that was given without a budget, or a reduced answer with the same outcome that names the archived
 * whole. The budget of one token leaves no room for more.
 */
function expectWholeOrReduced(
  envelope: unknown,
  without: unknown,
  settle: (envelope: unknown) => unknown,
): void {
  const { success, data, meta } = envelope as Envelope;
  const { content_fidelity: fidelity = "full" } = meta;
  if (fidelity === "full") {
    expect(withPlainNames(settle(envelope))).toEqual(without);
    return;
  }
  const { success: wanted, code, data: whole } = without as Readonly<Record<string, unknown>>;
  const wantedCode = isRecord(whole) ? whole["error_code"] : code;
  expect(isEnvelope(envelope)).toBe(true);
  expect([success, data["error_code"]]).toEqual([wanted, wantedCode]);
  expect(fidelity).toMatch(/^(partial|summary|reference_only)$/);
  expect(Object.keys(meta.content_archive_hashes ?? {})).toHaveLength(1);
}

/** Returns the success or the error code of a call, and how much of its answer was sent. */
function outline(envelope: unknown): unknown {
  expect(isEnvelope(envelope)).toBe(true);
  const { success, data, meta } = envelope as Envelope;
  const { content_fidelity, pagination } = meta;
  return { success, code: data["error_code"], fidelity: content_fidelity, rows: pagination?.page_size };
}
