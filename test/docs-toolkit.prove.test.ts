import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import * as contract from "@foundry-mcp/contract";
import { action, createRegistry, defineTool, type Logger } from "@foundry-mcp/toolkit";
import { createRateLimiter } from "@foundry-mcp/toolkit/limits";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { renderToolReference, toolReferencePath } from "../scripts/write-tool-reference.ts";
import { type Row, readPage, tablesUnder, withoutCode } from "./markdown.ts";
import { readSourceFiles, root } from "./source-files.ts";

const run = promisify(execFile);
const sources = readSourceFiles().filter((file) => file.package === "toolkit" && !file.isTest);
const sourceText = sources.map(({ path }) => readPage(path)).join("\n");

const column = (rows: readonly Row[] = [], name: string) => rows.map((row) => row[name] ?? "");

/** A member of an interface in a source file. */
interface Member {
  readonly name: string;
  readonly type: string;
  readonly default: string;
}

/** Returns the body of an interface of the package. */
function bodyOf(name: string): string {
  const found = new RegExp(`^export interface ${name}\\b[^\\n]*\\{\\n(.*?)^\\}`, "ms").exec(sourceText);
  if (found?.[1] === undefined) throw new Error(`No file of the toolkit exports an interface ${name}`);
  return found[1];
}

/**
 * Returns the options of an interface in their order. `areOptional` is true if the interface is used as a Partial.
 */
function readOptions(name: string, areOptional = false): Member[] {
  const members = bodyOf(name).matchAll(
    /(?:^ {2}\/\*\*((?:(?!\*\/).)*)\*\/\n)?^ {2}readonly (\w+)(\??):\s*((?:(?!;\n {2}\S|;\n$).)*);\n/gms,
  );
  return [...members].map(([, comment = "", member = "", mark, type = ""]) => {
    const words = comment
      .replace(/^\s*\* ?/gm, " ")
      .replace(/\s+/g, " ")
      .trim();
    const [, told] = words.replaceAll("`", "").split("@default ");
    return {
      name: member,
      type: toPlainType(type),
      default: told ?? (mark === "?" || areOptional ? "none" : "required"),
    };
  });
}

/**
 * Returns the options of interfaces that extend each other. If an option is declared twice, the last declaration
 * counts.
 */
function withOwn(...names: readonly string[]): Member[] {
  const members = names.flatMap((name) => readOptions(name));
  return [...new Map(members.map((member) => [member.name, member])).values()];
}

/** Returns a type in one line, without modifiers that only the compiler needs. */
function toPlainType(type: string): string {
  return type
    .replace(/\s+/g, " ")
    .replace(/^\| /, "")
    .replace(/ \| undefined$/, "")
    .replace(/^\((.*)\)$/, "$1")
    .replace(/NoInfer<(\w)>/g, "$1")
    .replace(/\breadonly /g, "")
    .replace(/Readonly<(Record<[^<>]*>)>/g, "$1")
    .replace("( ", "(")
    .replace(", )", ")");
}

describe("docs/reference/toolkit.md", () => {
  const page = "docs/reference/toolkit.md";
  const ofHttp = [
    ...["HttpOptions", "HttpAppOptions", "AllowedHosts"].flatMap((name) => readOptions(name, true)),
    ...readOptions("McpHostOptions").filter(({ name }) => name !== "surface"),
  ];

  const documented: readonly (readonly [heading: string, table: number, options: readonly Member[]])[] = [
    ["## createRegistry", 0, readOptions("RegistryOptions")],
    ["## createRegistry", 1, readOptions("Budget", true)],
    ["## The registry", 1, readOptions("CallOptions")],
    ["## defineTool", 0, readOptions("ToolOptions")],
    [
      "## action",
      0,
      ["ActionOptions", "ActionHints", "ActionImplementation"].flatMap((name) => readOptions(name)),
    ],
    ["## action", 1, readOptions("PageOptions")],
    ["## action", 2, readOptions("FeatureOptions")],
    ["## action", 3, readOptions("CliPlacement")],
    [
      "## defineResource",
      0,
      ["ResourceOptions", "FixedResource"]
        .flatMap((name) => readOptions(name))
        .filter(({ name }) => name !== "uriTemplate"),
    ],
    ["## defineResource", 1, readOptions("ResourceTemplate").filter(({ name }) => name !== "uri")],
    ["## definePrompt", 0, readOptions("PromptDefinition")],
    ["## serveStdio", 0, readOptions("StdioOptions")],
    ["## serveHttp", 0, ofHttp],
    ["## serveHttp", 1, readOptions("TokenGrant")],
    ["## openFlags", 0, withOwn("GivenFlags", "FlagProviderOptions", "FlagsOptions")],
    ["## openFlags", 1, readOptions("FlagDefinition")],
    ["## createRateLimiter", 0, withOwn("RateRule", "RateLimiterOptions")],
    ["## createFileArchive", 0, withOwn("FileArchiveOptions", "ArchiveLimits")],
    ["## runCli", 0, readOptions("CliOptions")],
    ["## runCli", 1, readOptions("ProgramOption")],
    ["## connect", 1, readOptions("ConnectOptions")],
    ["## connect", 2, readOptions("CommandTarget")],
    ["## callTool", 0, readOptions("ToolCallOptions")],
    ["## retry", 0, readOptions("RetryPolicy")],
    ["## pages", 0, readOptions("PagesOptions")],
  ];

  it.each(documented)(
    "has under %s, table %i, every option with its type and default",
    (heading, at, options) => {
      const rows = tablesUnder(page, heading)[at] ?? [];
      expect(
        rows.map(({ option, type, default: value }) => ({ name: option, type, default: value })),
      ).toEqual(options);
      expect(column(rows, "meaning")).not.toContain("");
    },
  );

  it("says the defaults that a registry settles", () => {
    const { options } = createRegistry({ name: "empty", version: "1.0.0" });
    const rows = tablesUnder(page, "## createRegistry")[0] ?? [];
    const told = Object.fromEntries(rows.map((row) => [row["option"], row["default"]]));
    const { running, waiting } = options.concurrency;
    expect(told).toMatchObject({
      dialect: "the first of dialects",
      timeoutMs: options.timeoutMs.toLocaleString("en"),
      concurrency: `${running} running, ${waiting.toLocaleString("en")} waiting`,
      outputDetail: JSON.stringify(options.outputDetail),
      maxResultSizeChars: options.maxResultSizeChars.toLocaleString("en"),
      serverTool: String(options.serverTool),
      roles: options.roles.join(" and "),
      role: "the highest of roles",
      tier: JSON.stringify(options.tier),
      budget: `${options.budget.maxTokens.toLocaleString("en")} tokens, no archive`,
    });
    expect(options.dialect).toBe(options.dialects[0]);
    expect(options.role).toBe(options.roles.at(-1));
    expect(options.budget).toEqual({ maxTokens: 20_000 });
    expect(options.validateOutput).toBe(process.env["NODE_ENV"] !== "production");
  });

  it("says defaults that the code has", () => {
    const code = sourceText.replace(/(?<=\d)_(?=\d)/g, "").replaceAll("4 * 1024 * 1024", '"4 MiB"');
    const plain = documented
      .flatMap(([, , options]) => options)
      .map((option) => ({
        ...option,
        default: option.default.replace(/(?<=\d)[,_](?=\d{3}\b)/g, ""),
      }));
    const values = plain.filter((option) =>
      /^("[^"]*"|\d+( MiB)?|true|false|Math\.\w+|Date\.\w+)$/.test(option.default),
    );
    expect(values.length).toBeGreaterThan(15);
    const missing = values.filter(({ name, default: value }) => {
      const literal = value.replace(/^["]?(.*?)["]?$/, '"?$1"?').replace(".", "\\.");
      // An option that is off by default needs no code, and `below` refers to another row.
      if (value === "false" || name === "below") return false;
      return !new RegExp(`${name}( =|:) (.*\\.default\\()?${literal}`, "i").test(code);
    });
    expect(missing).toEqual([]);
  });

  it("names every member of a registry", () => {
    const [table = []] = tablesUnder(page, "## The registry");
    const told = column(table, "member").flatMap((cell) => cell.replace(/\(.*?\)/g, "").split(", "));
    expect(told.sort()).toEqual(memberNames("Registry").sort());
  });

  it("names every option of wrapTool", () => {
    const picked = /type WrapOptions = Pick<\s*RegistryOptions,([^>]*)>/.exec(sourceText)?.[1] ?? "";
    const names = [...picked.matchAll(/"(\w+)"/g)].map(([, name]) => `\`${name}\``);
    const [, section = ""] = readPage(page).split("## wrapTool\n");
    expect(names.filter((name) => !section.split("\n## ")[0]?.includes(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(3);
  });

  it("names every entry point", () => {
    const { name, exports } = JSON.parse(readPage("packages/toolkit/package.json")) as {
      name: string;
      exports: Readonly<Record<string, unknown>>;
    };
    const entryPoints = Object.keys(exports).filter((entryPoint) => !entryPoint.endsWith(".json"));
    const expected = entryPoints.map((entryPoint) => entryPoint.replace(".", name));
    expect(column(tablesUnder(page, "## Entry points")[0], "entry point")).toEqual(expected);
    expect(column(tablesUnder("packages/toolkit/README.md", "## Entry points")[0], "entry point")).toEqual(
      expected,
    );
  });
});

describe("docs/reference/configuration.md", () => {
  const page = "docs/reference/configuration.md";
  const headings = readPage(page).match(/^##+ .*$/gm) ?? [];
  const rows = headings.flatMap((heading) => tablesUnder(page, heading).flat());

  const settings: Readonly<Record<string, readonly Member[]>> = {
    createRegistry: readOptions("RegistryOptions"),
    budget: readOptions("Budget", true),
    concurrency: readOptions("ConcurrencyLimits", true),
    serveStdio: readOptions("StdioOptions"),
    serveHttp: [
      ...["HttpOptions", "HttpAppOptions", "AllowedHosts"].flatMap((name) => readOptions(name, true)),
      ...readOptions("McpHostOptions").filter(({ name }) => name !== "surface"),
    ],
    sessions: readOptions("SessionLimits", true),
    tokens: readOptions("TokenGrant"),
    openFlags: withOwn("GivenFlags", "FlagProviderOptions", "FlagsOptions"),
    createRateLimiter: withOwn("RateRule", "RateLimiterOptions"),
    createFileArchive: withOwn("FileArchiveOptions", "ArchiveLimits"),
    runCli: readOptions("CliOptions"),
  };
  const byName = (a: Member, b: Member) => (a.name < b.name ? -1 : 1);

  it.each(Object.entries(settings))(
    "has every setting of %s once, with its type and default",
    (given, own) => {
      const told = rows
        .filter((row) => row["given to"] === given)
        .map((row) => ({ name: row["setting"], type: row["type"], default: row["default"] }) as Member);
      expect(told.sort(byName)).toEqual([...own].sort(byName));
    },
  );

  it("gives no setting to what takes none", () => {
    const given = new Set(rows.flatMap((row) => row["given to"] ?? []));
    expect([...given].sort()).toEqual(Object.keys(settings).sort());
  });

  it("has every key of a flag in the file", () => {
    const [table = []] = tablesUnder(page, "### The flags file");
    const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const keys = readOptions("FlagDefinition").map((member) => ({ ...member, name: snake(member.name) }));
    expect(table.map(({ key, type, default: value }) => ({ name: key, type, default: value }))).toEqual(keys);
  });

  it("has every option of the command line", () => {
    const own = [
      ...readPage("packages/toolkit/src/cli/global-options.ts").matchAll(/\{\s*flags: "([^"]+)"/g),
    ];
    const [, table = []] = tablesUnder(page, "## The command line");
    const named = own.map(([, flags = ""]) => flags).filter((flags) => flags !== "--version");
    expect(named.length).toBeGreaterThan(3);
    expect(column(table, "option")).toEqual([...named, "--version"]);
  });

  it("has every variable of the environment that is read", () => {
    const reads =
      sourceText.match(
        /process\.env\["\w+"\]|\{[^{}]*\}(?: = env;|: Readonly<Record<string, string \| undefined>>)/g,
      ) ?? [];
    const names = reads.flatMap((read) => read.match(/\b[A-Z][A-Z_]{3,}\b/g) ?? []);
    const [table = []] = tablesUnder(page, "## Environment");
    expect(column(table, "variable").sort()).toEqual([...new Set(names)].sort());
  });
});

/** Returns the names of all members of an interface, including methods. Each name occurs once. */
function memberNames(name: string): string[] {
  const names = bodyOf(name).matchAll(/^ {2}(?:readonly )?(\w+)(?:\??:|[<(])/gm);
  return [...new Set([...names].map(([, member = ""]) => member))];
}

describe("docs/reference/tools.md", () => {
  it("is what scripts/write-tool-reference.ts writes", () => {
    expect(readPage(toolReferencePath)).toBe(renderToolReference());
  });
});

describe("docs/explain/lifecycle.md", () => {
  const page = "docs/explain/lifecycle.md";

  it("gives every exit its code", async () => {
    const rows = tablesUnder(page, "## Exits")[0] ?? [];
    expect(column(rows, "exit")).toEqual(Object.keys(exits));
    for (const { exit = "", code } of rows) {
      expect(`${exit}: ${await exits[exit]?.()}`).toBe(`${exit}: ${code}`);
    }
  });

  it("lists the facts of the log line", async () => {
    const lines: Record<string, unknown>[] = [];
    const write = (facts: object) => void lines.push({ ...facts });
    const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger };
    const registry = createRegistry({ name: "exits", version: "1.0.0", tools: [faulty], logger });
    await registry.call("faulty", { action: "bug", id: "b1" });
    const facts = column(tablesUnder(page, "### The log line")[0], "field").filter(
      (name) => name !== "trace_id" && name !== "input_required",
    );
    expect(Object.keys(lines[0] ?? {})).toEqual(facts);
  });
});

const never = () => new Promise<never>(() => {});
const faulty = defineTool({
  name: "faulty",
  version: "1.0.0",
  description: "Leaves the path at every exit",
  actions: {
    add: action({ input: z.object({ count: z.number().max(9) }), run: () => ({}) }),
    late: action({ timeoutMs: 10, run: never }),
    refuse: action({ run: () => Promise.reject(contract.conflict("No")) }),
    lose: action({ run: () => Promise.reject(Object.assign(new Error("x"), { code: "ECONNREFUSED" })) }),
    bug: action({
      input: z.object({ id: z.string().optional() }),
      run: () => Promise.reject(new Error("x")),
    }),
    list: action({
      page: { default: 1, max: 2 },
      run: (_input, ctx) => ({ rows: ctx.page.sorted(["a"], { key: (row) => [row] }) }),
    }),
    page_none: action({ run: (_input, ctx) => ({ rows: ctx.page.siblings(["a"], { id: (row) => row }) }) }),
    attach_none: action({
      run: (_input, ctx) => ctx.attach({ type: "image", data: "not base64", mimeType: "image/png" }),
    }),
    ask: action({
      run: (_input, ctx) => ctx.elicit({ message: "Sure?", schema: z.object({ sure: z.boolean() }) }),
    }),
    array: action({ run: (() => [1]) as never }),
    unpaged: action({ page: { default: 1, max: 2 }, run: () => ({}) }),
    raw: action({ raw: true, run: () => ({}) }),
    broken: action({ output: z.object({ count: z.number().max(9) }), run: () => ({ count: 10 }) }),
    nan: action({ run: () => ({ count: Number.NaN }) }),
    flagged: action({ flag: "soon", run: () => ({}) }),
    priced: action({ tier: "pro", run: () => ({}) }),
    featured: action({
      features: { depth: { tier: "pro" } },
      run: (_input, ctx) => ({ isDeep: ctx.feature("depth") }),
    }),
    unfeatured: action({ run: (_input, ctx) => ({ isDeep: ctx.feature("depth") }) }),
    return_failure: action({ run: () => contract.errorResponse("No", { errorCode: "CONFLICT" }) }),
    return_broken: action({
      run: () => ({ success: true, data: {}, error: "No", meta: { version: "response-v2" } }),
    }),
    long: action({ run: () => ({ text: "x".repeat(1_000) }) }),
  },
});

type CallOptions = Parameters<ReturnType<typeof createRegistry>["call"]>[2];

/** Returns the code of a call. Another call with the same registry may run before it. */
async function codeOf(
  args: object,
  options?: CallOptions,
  tool = "faulty",
  before?: object,
): Promise<unknown> {
  const concurrency = before === undefined ? {} : { running: 1, waiting: options === undefined ? 0 : 1 };
  const registry = createRegistry({ name: "exits", version: "1.0.0", tools: [faulty], concurrency });
  if (before !== undefined) void registry.call("faulty", before);
  const { data } = await registry.call(tool, args, options);
  return data["error_code"];
}

/** Every exit on the page, with a call that ends with this exit. */
const exits: Readonly<Record<string, () => Promise<unknown>>> = {
  "there is no such tool": () => codeOf({}, {}, "unknown"),
  "the arguments are not an object": () => codeOf([]),
  "no action is named": () => codeOf({}),
  "the action is not a string": () => codeOf({ action: 1 }),
  "there is no such action": () => codeOf({ action: "unknown" }),
  "the feature is off for the client": () => codeOf({ action: "flagged" }),
  "an observer calls an action that may change something": () =>
    codeOf({ action: "bug" }, { principal: { id: "ann", role: "observer" } }),
  "the action needs a higher tier": () => codeOf({ action: "priced" }),
  "the client's quota is used up": async () => {
    const rateLimiter = createRateLimiter({ limit: 1, periodSeconds: 60 });
    const registry = createRegistry({ name: "exits", version: "1.0.0", tools: [faulty], rateLimiter });
    await registry.call("faulty", { action: "nan" });
    return (await registry.call("faulty", { action: "nan" })).data["error_code"];
  },
  "a required parameter is absent": () => codeOf({ action: "add" }),
  "a parameter has the wrong type": () => codeOf({ action: "add", count: "one" }),
  "a parameter has a bad value": () => codeOf({ action: "add", count: 10 }),
  "the action takes no such parameter": () => codeOf({ action: "add", count: 1, other: 1 }),
  "the caller gave up before the handler ran": () =>
    codeOf({ action: "late" }, { signal: AbortSignal.abort() }),
  "the server and its queue are full": () =>
    codeOf({ action: "late" }, undefined, "faulty", { action: "late" }),
  "the deadline passed in the queue": () =>
    codeOf({ action: "add", count: 1 }, { timeoutMs: 1 }, "faulty", { action: "late" }),
  "the deadline passed while the handler ran": () => codeOf({ action: "late" }),
  "the caller gave up while the handler ran": async () => {
    const caller = new AbortController();
    const code = codeOf({ action: "late" }, { signal: caller.signal });
    caller.abort();
    return code;
  },
  "the handler threw a ContractError": () => codeOf({ action: "refuse" }),
  "the handler threw a known kind of error": () => codeOf({ action: "lose" }),
  "the handler threw anything else": () => codeOf({ action: "bug" }),
  "the cursor cannot be used": () => codeOf({ action: "list", cursor: "x" }),
  "the handler pages, but the action declares no page": () => codeOf({ action: "page_none" }),
  "the handler asks for a feature that needs a higher tier": () => codeOf({ action: "featured" }),
  "the handler asks for a feature that is not declared": () => codeOf({ action: "unfeatured" }),
  "the attachment is malformed": () => codeOf({ action: "attach_none" }),
  "the client cannot be asked": () => codeOf({ action: "ask" }),
  "the person's answer does not fit the form": () =>
    codeOf({ action: "ask" }, { asker: async () => ({ action: "accept", content: { sure: "yes" } }) }),
  "the client gave no usable answer": () => codeOf({ action: "ask" }, { asker: async () => ({}) }),
  "the payload is not an object": () => codeOf({ action: "array" }),
  "the action declares a page, but the handler did not page": () => codeOf({ action: "unpaged" }),
  "a raw action returned no MCP tool result": () => codeOf({ action: "raw" }),
  "the handler returned the envelope of a failure": () => codeOf({ action: "return_failure" }),
  "the handler returned an invalid envelope": () => codeOf({ action: "return_broken" }),
  "the payload does not match the declared output": () => codeOf({ action: "broken" }),
  "the answer is over twice its budget and cannot be archived": () =>
    codeOf({ action: "long", max_tokens: 50 }),
  "JSON cannot represent the payload": () => codeOf({ action: "nan" }),
};

describe("docs/guides/errors-agents-act-on.md", () => {
  const page = "docs/guides/errors-agents-act-on.md";
  const codesIn = (cell = "") => cell.match(/\b[A-Z]+(?:_[A-Z]+)*\b/g) ?? [];

  it("names constructors that the contract has", () => {
    const [rows = []] = tablesUnder(page, "## Choose a constructor");
    const names = column(rows, "throw").flatMap((cell) => cell.split(/[,:]/)[0] ?? []);
    const known: Readonly<Record<string, unknown>> = contract;
    expect(names.filter((name) => typeof known[name] !== "function")).toEqual([]);
    expect(names.length).toBe(rows.length);
  });

  it("gives the retry advice of the codes", () => {
    const [rows = []] = tablesUnder(page, "## Retries");
    const advice = rows.map(({ codes }) => codesIn(codes).map((errorCode) => adviceOf({ errorCode })));
    expect(advice.map((group) => [...new Set(group)])).toEqual([
      ["no"],
      [],
      ["after_delay"],
      ["backoff"],
      ["if_idempotent"],
    ]);
    const types = ["validation", "not_found", "authorization", "conflict"];
    expect(types.map((errorType) => adviceOf({ errorType }))).toEqual(["no", "no", "no", "maybe"]);
  });
});

function adviceOf(options: { readonly errorCode?: string; readonly errorType?: string }): string {
  return contract.retryAdvice(contract.errorResponse("It failed", options as contract.FailureOptions));
}

describe("docs/guides/limits-flags-and-tiers.md", () => {
  it("has every rule that decides a flag, in its order", () => {
    const [, union = ""] = /export type FlagRule =([^;]*);/.exec(sourceText) ?? [];
    const rules = [...union.matchAll(/"(\w+)"/g)].map(([, rule]) => rule);
    const [table = []] = tablesUnder("docs/guides/limits-flags-and-tiers.md", "### The rules");
    expect(column(table, "reason")).toEqual(rules);
    expect(rules.length).toBeGreaterThan(5);
  });
});

describe("docs/guides/write-a-server.md", () => {
  it("tells every member of the context", () => {
    const [table = []] = tablesUnder("docs/guides/write-a-server.md", "## The context");
    const told = column(table, "member").flatMap((cell) => cell.replace(/\(.*?\)/g, "").split(", "));
    expect([...new Set(told)]).toEqual(memberNames("Context"));
  });
});

/** A `js` block of a guide. The block is either a file that other blocks import, or a program that prints. */
interface Block {
  readonly file: string;
  readonly isNamed: boolean;
  readonly code: string;
  readonly kind: string | undefined;
  readonly output: string;
}

function readBlocks(page: string): Block[] {
  const fences = readPage(page).matchAll(
    /^```js(?: (\S+\.mjs))?\n(.*?)^```\n(?:\n```(text|json)\n(.*?)^```\n)?/gms,
  );
  return [...fences].map(([, name, code = "", kind, output = ""], index) => {
    const file = name ?? `block-${index + 1}.mjs`;
    return { file, isNamed: name !== undefined, code, kind: name === undefined ? kind : undefined, output };
  });
}

/** Runs the blocks of one page in order, and returns the output of each block. */
const runner = `
import { format } from "node:util";
const printed = {};
for (const file of process.argv.slice(2)) {
  printed[file] = "";
  console.log = (...values) => { printed[file] += format(...values) + "\\n"; };
  await import(\`./\${file}\`).catch((thrown) => { printed[file] += thrown.stack; });
}
process.stdout.write(JSON.stringify(printed));
`;

const guides = readdirSync(join(root, "docs/guides"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/guides/${name}`);

describe.each(guides)("the blocks of %s", (page) => {
  const blocks = readBlocks(page);
  const running = blocks.filter(({ isNamed }) => !isNamed);
  // The folder is inside the repository, so that the packages are found as in any project.
  const folder = join(root, ".build/docs-guides", basename(page, ".md"));
  let printed: Readonly<Record<string, string>> = {};

  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const { file, code } of blocks) {
      writeFileSync(join(folder, file), code);
      writeFileSync(join(folder, file.replace(".mjs", ".mts")), code);
    }
    writeFileSync(join(folder, "run.mjs"), runner);
    const { stdout } = await run(process.execPath, ["run.mjs", ...running.map(({ file }) => file)], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: "development", PORT: "0", FORCE_COLOR: "0" },
      timeout: 300_000,
    });
    printed = JSON.parse(stdout);
  }, 600_000);

  it.each(running)("$file prints what the page says", ({ file, code, kind, output }) => {
    expect(kind, `no output stands after\n${code}`).toBeDefined();
    if (kind === "json") expect(settle(toMinified(printed[file]))).toBe(settle(toMinified(output)));
    else expect(settle(printed[file] ?? "")).toBe(settle(output));
  });

  it("use every file that the page writes", () => {
    const unused = blocks.filter(
      ({ file, isNamed }) => isNamed && !blocks.some((other) => other.code.includes(file)),
    );
    expect(unused.map(({ file }) => file)).toEqual([]);
  });

  it.runIf(blocks.length > 0)(
    "have the types that they need",
    async () => {
      const options = {
        noEmit: true,
        composite: false,
        types: ["node"],
        rewriteRelativeImportExtensions: false,
      };
      const config = { extends: "../../../tsconfig.base.json", compilerOptions: options, include: ["*.mts"] };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      const told = await run(process.execPath, [tsc, "-p", folder]).catch(
        (failed: { stdout: string }) => failed,
      );
      expect(told.stdout).toBe("");
    },
    600_000,
  );

  it("are all found: no block of code has another mark", () => {
    const fences = readPage(page).match(/^```(?:ts|js|typescript|javascript|mjs)\b.*$/gm) ?? [];
    expect(fences).toEqual(blocks.map(({ file, isNamed }) => (isNamed ? `\`\`\`js ${file}` : "```js")));
  });
});

/** Replaces request ids and durations, because they differ from run to run. */
function settle(text: string): string {
  return text
    .replace(/\breq_[0-9a-f]{12}\b/g, "req_000000000000")
    .replace(/("duration_ms\\*": ?)[\d.]+/g, "$10");
}

function toMinified(json = ""): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}

describe("packages/toolkit/README.md", () => {
  const page = "packages/toolkit/README.md";

  it("shows the server of examples/02-server", () => {
    expect(readPage(page)).toContain(`\`\`\`ts\n${readPage("examples/02-server/server.ts")}\`\`\`\n`);
  });

  it("has links that lead somewhere", () => {
    const links = [...withoutCode(readPage(page)).matchAll(/\]\(([^)#\s]+)/g)].map(([, link = ""]) => link);
    const dead = links.filter((link) => !existsSync(resolve(root, dirname(page), link)));
    expect(dead).toEqual([]);
    expect(links.length).toBeGreaterThan(5);
  });
});

describe("docs/explain", () => {
  it("has no block of code that nothing runs", () => {
    const pages = readdirSync(join(root, "docs/explain")).map((name) => `docs/explain/${name}`);
    expect(pages.flatMap((page) => readPage(page).match(/^```(?:ts|js)\b.*$/gm) ?? [])).toEqual([]);
  });
});
