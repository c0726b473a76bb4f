import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { areas, parseCalls, type Rule, rules } from "foundry-mcp/check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foundryCli } from "./bins.ts";
import { type Row, readPage, tablesUnder, withoutCode } from "./markdown.ts";
import { root } from "./source-files.ts";

const run = promisify(execFile);
const source = "packages/foundry/src";
const program = foundryCli;
const column = (rows: readonly Row[] = [], name: string) => rows.map((row) => row[name] ?? "");

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Returns the input and output schemas of an action of `contract`, as the program prints them. */
async function readAction(action: string): Promise<{ readonly input: Schema; readonly output: Schema }> {
  const args = [program, "server", "schema", "--tool", "contract", "--for-action", action];
  const { stdout } = await run(process.execPath, args);
  const { data } = JSON.parse(stdout) as {
    readonly data: { readonly actions: readonly { readonly input: Schema; readonly output: Schema }[] };
  };
  const [only] = data.actions;
  if (only === undefined) throw new Error(`contract has no action ${action}`);
  return only;
}

/** Returns the sections of a page at a heading level, each with its text. */
function sectionsOf(page: string, level: number): { readonly heading: string; readonly text: string }[] {
  const parts = withoutCode(readPage(page)).split(new RegExp(`^#{${level}} `, "m"));
  return parts.slice(1).map((part) => {
    const [heading = "", ...lines] = part.split("\n");
    return { heading, text: lines.join("\n") };
  });
}

const inOneLine = (text: string) => text.replace(/\s+/g, " ").trim();

describe("docs/reference/rules.md", () => {
  const page = "docs/reference/rules.md";
  const sections = sectionsOf(page, 2);

  it("has every area, in the order of the table", () => {
    expect(sections.map(({ heading }) => heading)).toEqual(Object.values(areas));
  });

  it("has every rule in its area, with level, title, ways to break it and remedy", () => {
    const told = sections.flatMap(({ heading, text }) =>
      text
        .split(/^### /m)
        .slice(1)
        .map((part) => ({ area: heading, ...readRule(part) })),
    );
    const table: Readonly<Record<string, Rule>> = rules;
    expect(told.map(({ note: _, ...rule }) => rule)).toEqual(
      Object.entries(table).map(([id, { area, level, title, breaks, remedy }]) => ({
        area: areas[area],
        id,
        title,
        level,
        breaks: { ...breaks },
        remedy,
      })),
    );
    expect(told.filter(({ note }) => note.length < 20).map(({ id }) => id)).toEqual([]);
  });

  it("names rules that there are, as every page does", () => {
    const pages = [
      page,
      "docs/reference/checker.md",
      "docs/guides/hold-your-server-to-the-contract.md",
      "docs/decisions/010-the-checker.md",
    ];
    const named = pages.flatMap((each) => readPage(each).match(/\b(?:RV2|EV1|RV1|MCP)-\d+\b/g) ?? []);
    expect([...new Set(named)].filter((id) => !Object.hasOwn(rules, id))).toEqual([]);
  });
});

function readRule(part: string) {
  const [heading = "", ...rest] = part.split("\n");
  const [, id = "", title = ""] = /^(\S+) (.*)$/.exec(heading) ?? [];
  const body = rest.join("\n");
  const [, level = "", note = ""] = /^\*\*(\w+)\.\*\* (.*?)\n\n/ms.exec(body) ?? [];
  const [, list = ""] = /^A server breaks this rule in each of these cases:\n\n(.*?)\n\n/ms.exec(body) ?? [];
  const [, remedy = ""] = /^Remedy: (.*)/ms.exec(body) ?? [];
  const breaks = list
    .split(/^- The server\s/m)
    .slice(1)
    .map(inOneLine);
  return {
    id,
    title,
    level,
    note: inOneLine(note),
    breaks: Object.fromEntries(
      breaks.map((each) => {
        const [, what = "", name = ""] = /^(.*) \(`([^`]+)`\)$/.exec(each) ?? [];
        return [name, what];
      }),
    ),
    remedy: inOneLine(remedy),
  };
}

describe("docs/reference/checker.md", () => {
  const page = "docs/reference/checker.md";

  it.each([
    ["check", "## The command", 0],
    ["validate", "## contract validate", 0],
  ])("has every option of contract %s, with its type and default", async (action, heading, at) => {
    const { input } = await readAction(action);
    const { max_tokens: _, ...own } = input.properties ?? {};
    const rows = tablesUnder(page, heading)[at] ?? [];
    expect(rows.map(({ option, type, default: value }) => ({ option, type, default: value }))).toEqual(
      Object.entries(own).map(([name, schema]) => ({
        option: `--${name.replaceAll("_", "-")}`,
        type: name === "text" ? "file" : typeOf(schema),
        default: defaultOf(name, schema, input),
      })),
    );
    expect(column(rows, "meaning")).not.toContain("");
    for (const { meaning = "", option } of rows.filter(({ type }) => type === "one of 3")) {
      const choices = own[(option ?? "").replace("--", "").replaceAll("-", "_")]?.enum ?? [];
      if (action === "check") expect(choices.filter((choice) => !meaning.includes(choice))).toEqual([]);
    }
  });

  it("has every key of the report, and those of what it lists", async () => {
    const { output } = await readAction("check");
    const keysOf = (schema: Schema | undefined) => Object.keys(schema?.properties ?? {});
    const keysUnder = (heading: string) => column(tablesUnder(page, heading)[0], "key");
    expect(keysUnder("## The report")).toEqual(keysOf(output));
    expect(keysUnder("### A rule of the report").toSorted()).toEqual(
      keysOf(output.properties?.["rules"]?.items).toSorted(),
    );
    expect(keysUnder("### A finding")).toEqual(keysOf(output.properties?.["findings"]?.items));
    expect(keysUnder("### A tool of the report")).toEqual(keysOf(output.properties?.["tools"]?.items));
    const rowOf = (key: string) => tablesUnder(page, "## The report")[0]?.find((row) => row["key"] === key);
    for (const key of ["server", "unchecked"]) {
      const part = output.properties?.[key];
      const inner = keysOf(part?.items ?? part);
      expect(inner.filter((name) => !rowOf(key)?.["meaning"]?.includes(name))).toEqual([]);
      expect(inner.length).toBeGreaterThan(1);
    }
  });

  it("has every status and every verdict", async () => {
    const { output } = await readAction("check");
    const { rules: listed, verdict } = output.properties ?? {};
    const statuses = listed?.items?.properties?.["status"]?.enum;
    expect(column(tablesUnder(page, "## Statuses")[0], "status")).toEqual(statuses);
    const guide = "docs/guides/hold-your-server-to-the-contract.md";
    expect(column(tablesUnder(page, "## The verdict")[0], "verdict")).toEqual(verdict?.enum);
    expect(column(tablesUnder(guide, "## Read the report")[0], "verdict")).toEqual(verdict?.enum);
  });

  it("names the codes that a check fails with", () => {
    const codes = [...readPage(`${source}/check/check-errors.ts`).matchAll(/^ {2}([A-Z_]+): \{/gm)];
    const told = column(tablesUnder(page, "## The verdict")[0], "error code").filter((code) => code !== "");
    expect(told).toEqual(codes.map(([, code]) => code));
    expect(told.length).toBe(2);
  });

  it("has every key of what contract validate answers", async () => {
    const { output } = await readAction("validate");
    const rows = tablesUnder(page, "## contract validate")[1] ?? [];
    expect(column(rows, "key")).toEqual(Object.keys(output.properties ?? {}));
    const findings = rows.find((row) => row["key"] === "findings")?.["meaning"] ?? "";
    const keys = Object.keys(output.properties?.["findings"]?.items?.properties ?? {});
    expect(findings).toContain(keys.join(", "));
  });

  it("shows the calls file twice, as TOML and as JSON, and both say the same", () => {
    const blocks = [...readPage(page).matchAll(/^```(toml|json)\n(.*?)^```$/gms)];
    const [toml, json, ...more] = blocks.map(([, ending = "", text = ""]) =>
      parseCalls(text, { file: `calls.${ending}` }),
    );
    expect(toml).toEqual(json);
    expect(toml?.calls.map(({ expect: expected }) => expected)).toEqual(["success", "failure"]);
    expect(more).toEqual([]);
  });

  it("has every key of the calls file", () => {
    const [ofFile, ofCall] = tablesUnder(page, "## The calls file");
    const refused = (text: string) => {
      try {
        parseCalls(text, { file: "calls.json" });
        return "";
      } catch (error) {
        return (error as Error).message;
      }
    };
    const keysIn = (message: string) => /the keys are ([\w, ]+)/.exec(message)?.[1]?.split(", ");
    expect(column(ofFile, "key")).toEqual(keysIn(refused('{"other":1}')));
    expect(column(ofCall, "key")).toEqual(keysIn(refused('{"calls":[{"tool":"a","other":1}]}')));
  });

  it("has the limits that the code has", () => {
    const [rows = []] = tablesUnder(page, "## Limits");
    const values = rows.map(({ value = "" }) => value);
    expect(values).toEqual(
      limits.map(([path, name, toValue]) => (toValue ?? toCount)(readConst(path, name))),
    );
    expect(column(rows, "limit")).not.toContain("");
  });

  it("has every option of checkServer, with its type and default", () => {
    const text = readPage(`${source}/check/check-server.ts`);
    const [, body = ""] = /^export interface ServerCheckOptions \{\n(.*?)^\}/ms.exec(text) ?? [];
    const members = body.matchAll(
      /(?:^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^ {2}readonly (\w+)\?: (.*?)(?: \| undefined)?;$/gm,
    );
    const options = [...members].map(([, comment = "", name = "", type = ""]) => ({
      option: name,
      type: type.replace(/^\((.*)\)$/, "$1").replaceAll("readonly ", ""),
      default: comment.split("@default ")[1]?.trim() ?? "none",
    }));
    const rows = tablesUnder(page, "## In a program")[0] ?? [];
    expect(rows.map(({ option, type, default: value }) => ({ option, type, default: value }))).toEqual(
      options,
    );
    expect(options.length).toBeGreaterThan(5);
  });
});

function typeOf({ type, enum: choices, items }: Schema): string {
  if (choices !== undefined) return `one of ${choices.length}`;
  if (items !== undefined) return items.type === "string" ? "texts" : `list of ${items.type}`;
  return type === "string" ? "text" : (type ?? "any");
}

function defaultOf(name: string, { description = "" }: Schema, { required = [] }: Schema): string {
  if (required.includes(name)) return "required";
  const [, told] = /\(default: ([^)]*)\)/.exec(description) ?? [];
  return told ?? (name === "server" ? "the only one" : "none");
}

const toSeconds = (text: string) => String(Number(text.replaceAll("_", "")) / 1_000);
const toCount = (text: string) =>
  text.includes("*")
    ? text.replace("*", "×").replace(/2 \*\* (\d+)/, "2^$1")
    : Number(text.replaceAll("_", "")).toLocaleString("en");

/** The constants of the limits in the code, in the order of the page. */
const limits: readonly (readonly [path: string, name: string, toValue?: (text: string) => string])[] = [
  [`${source}/check/check-server.ts`, "defaultCallTimeoutMs", toSeconds],
  [`${source}/check/check-server.ts`, "defaultTotalTimeoutMs", toSeconds],
  [`${source}/check/observe/session.ts`, "maxRestarts"],
  [`${source}/check/observe/session.ts`, "maxUnanswered"],
  [`${source}/check/observe/session.ts`, "maxTries"],
  [`${source}/check/observe/session.ts`, "maxRetryDelayMs"],
  ["packages/toolkit/src/client/child-transport.ts", "maxLineBytes"],
  [`${source}/check/observe/session.ts`, "maxBytes"],
  [`${source}/check/observe/list-tools.ts`, "maxTools"],
  [`${source}/check/observe/list-tools.ts`, "maxPages"],
  [`${source}/check/probes/find-working-call.ts`, "maxTries"],
  [`${source}/check/probes/refusals.ts`, "maxOfAKind"],
  [`${source}/check/probes/walk-pages.ts`, "defaultMaxPages"],
  [`${source}/check/probes/run-probes.ts`, "maxReduced"],
  [`${source}/check/probes/fidelity.ts`, "maxIds"],
  [`${source}/check/schemas/compile-schema.ts`, "deadlineMs"],
  [`${source}/check/schemas/compile-schema.ts`, "maxSchemaLength"],
  [`${source}/check/arguments/sample-values.ts`, "deadlineMs"],
  [`${source}/servers/read-text-file.ts`, "maxBytes"],
  [`${source}/check/findings/ledger.ts`, "maxFindings"],
  [`${source}/check/observe/evidence.ts`, "maxEvidence"],
];

function readConst(path: string, name: string): string {
  const [, text] =
    new RegExp(`(?:^const ${name} =|\\{ ?(?:.*, )?${name}:) ([\\d_* ]+)`, "m").exec(readPage(path)) ?? [];
  if (text === undefined) throw new Error(`${path} has no ${name}`);
  return text.trim();
}

describe("docs/guides/hold-your-server-to-the-contract.md", () => {
  const page = "docs/guides/hold-your-server-to-the-contract.md";
  const address = "http://127.0.0.1:3000";
  const folder = join(root, ".build/docs-checker");
  const blocks = [...readPage(page).matchAll(/^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms)].map(
    ([, code = "", output]) => ({ title: code.trim().split("\n")[0] ?? "", code, output }),
  );
  const files = [...readPage(page).matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)];
  const env = {
    ...process.env,
    PATH: [join(folder, "bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter),
    HARBOUR_TOKEN: "harbour-0123456789abcdef",
    PORT: "0",
    NODE_ENV: "development",
  };
  let server: ChildProcess | undefined;
  let url = "";

  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, "bin"), { recursive: true });
    const shim = join(folder, "bin/foundry-cli");
    writeFileSync(shim, `#!/bin/sh\nexec node ${JSON.stringify(program)} "$@"\n`);
    chmodSync(shim, 0o755);
    for (const [, name = "", text = ""] of files) writeFileSync(join(folder, name), text);
    server = spawn(process.execPath, ["http.mjs"], { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
    url = await addressOf(server);
    for (const [, name = "", text = ""] of files)
      if (name === ".mcp.json") writeFileSync(join(folder, name), text.replaceAll(address, url));
  });

  afterAll(() => {
    server?.kill();
  });

  it.each(blocks.map(({ title, ...block }) => [title, block] as const))(
    "prints what the page says of: %s",
    async (_, { code, output }) => {
      expect(output, "no output stands after it").toBeDefined();
      const script = `{ ${code.replaceAll(address, url)}\n} 2>&1`;
      const { stdout } = await run("sh", ["-c", script], { cwd: folder, env }).catch(
        (failed: { readonly stdout: string }) => failed,
      );
      expect(settle(stdout.replaceAll(url, address))).toBe(settle(output ?? ""));
    },
  );

  it("runs every command of it, with every server that it shows", () => {
    expect(blocks.length).toBeGreaterThan(8);
    const commands = blocks.map(({ code }) => code).join("\n") + readPage(page);
    expect(files.map(([, name = ""]) => name).filter((name) => !commands.includes(` ${name}`))).toEqual([]);
  });

  it("shows the server of examples/02-server", () => {
    expect(readPage(page)).toContain(`\`\`\`js server.mjs\n${readPage("examples/02-server/server.ts")}`);
  });

  it("uses in CI nothing but what there is", async () => {
    const { input } = await readAction("check");
    const known = ["--human", ...Object.keys(input.properties ?? {}).map((name) => `--${name}`)];
    const snippets = [...readPage(page).matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = ""]) => text);
    const commands = snippets.flatMap((text) => text.match(/foundry-mcp contract check .*$/gm) ?? []);
    expect(commands.length).toBe(2);
    for (const command of commands) {
      const [ours = ""] = command.split(" -- ");
      expect(ours.match(/--[\w-]+/g)?.filter((option) => !known.includes(option))).toEqual([]);
      expect(ours).toContain("--junit contract.xml");
    }
    const used = snippets.flatMap((text) => [...text.matchAll(/uses: ([\w/-]+)@/g)].map(([, name]) => name));
    expect(used).toEqual(["actions/checkout", "actions/setup-node", "actions/upload-artifact"]);
    expect(snippets.filter((text) => /\t/.test(text))).toEqual([]);
  });

  it("names the package that has the command", () => {
    const { name, bin } = createRequire(import.meta.url)("foundry-mcp/package.json") as {
      readonly name: string;
      readonly bin: Readonly<Record<string, string>>;
    };
    expect(readPage(page)).toContain(`npm install --save-dev ${name}\n`);
    expect(readPage(page)).toContain(`node ${join("packages/foundry", bin["foundry-cli"] ?? "")}`);
  });
});

describe("docs/reference/toolkit.md", () => {
  const text = readPage("packages/toolkit/src/client/raw-connection.ts");
  const bodyOf = (name: string) =>
    new RegExp(`^export interface ${name}\\b[^\\n]*\\{\\n(.*?)^\\}`, "ms").exec(text)?.[1] ?? "";
  const [members, options, kinds] = tablesUnder("docs/reference/toolkit.md", "## connectRaw");

  it("has every member of a raw connection and every option of its requests", () => {
    const names = [...bodyOf("RawConnection").matchAll(/^ {2}(?:readonly )?(\w+)(?:\??:|\()/gm)];
    const told = column(members, "member").flatMap((cell) => cell.replace(/\(.*?\)/g, "").split(", "));
    expect(told).toEqual(names.map(([, name]) => name));
    const own = [...bodyOf("RawRequestOptions").matchAll(/^ {2}readonly (\w+)\?: (.*) \| undefined;$/gm)];
    expect((options ?? []).map(({ option, type }) => [option, type])).toEqual(
      own.map(([, name, type = ""]) => [name, type.replace(/^\((.*)\)$/, "$1")]),
    );
    expect(own.length).toBe(7);
  });

  it("has every kind of reply", () => {
    const union = [...text.matchAll(/^ {2}\| \{ readonly kind: "(\w+)";(.*) \}/gm)];
    expect((kinds ?? []).map(({ kind, has }) => [kind, has])).toEqual(
      union.map(([, kind, rest = ""]) => [
        kind,
        [...rest.matchAll(/readonly (\w+):/g)].map(([, name]) => name).join(", "),
      ]),
    );
    expect(union.length).toBe(3);
  });
});

/** Returns the address on which a server listens, from its log. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let log = "";
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      const [, found] = /"url":"([^"]+)","msg":"listening"/.exec(log) ?? [];
      if (found !== undefined) resolve(found);
    });
    server.once("exit", (code) => reject(new Error(`http.mjs ended with ${code}: ${log}`)));
  });
}

/** Replaces durations and numbers of calls, because they differ from run to run. */
function settle(text: string): string {
  return text
    .replace(/\d+ calls in [\d.]+ m?s/g, "0 calls in 0 s")
    .replace(/^( {2}[✓✗?] \w+) +\d+ +\d+ +\d+$/gm, "$1 0 0 0")
    .replace(/^(Tools) +calls/gm, "$1 calls")
    .replace(/… and \d+ more$/gm, "… and 0 more");
}
