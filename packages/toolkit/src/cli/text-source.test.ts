import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Failure } from "@foundry-mcp/contract";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createCommandTree } from "./command-tree.ts";
import { toCandidates } from "./complete.ts";
import { contractTool, placedTool } from "./testing/contract-tool.ts";
import { createDemoRegistry } from "./testing/demo-registry.ts";
import { runWords } from "./testing/run-words.ts";
import { toArgv } from "./to-argv.ts";

const registry = createDemoRegistry({ tools: [contractTool] });
const folder = mkdtempSync(join(tmpdir(), "text-source-"));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const run = (...argv: string[]) => runWords(registry, argv);
/** Returns the command that the tool received as an argument. */
const checked = async (...argv: string[]) => {
  const { envelope } = await run("contract", "check", "--limit", "20", ...argv);
  const { words } = envelope.data as { words?: { word: string }[] };
  return words?.map(({ word }) => word) ?? envelope.error;
};
const dataOf = async (argv: readonly string[], stdin = "") =>
  (await runWords(registry, argv, { stdin })).envelope.data;
const refusalOf = async (...argv: string[]) => {
  const { code, envelope } = await run(...argv);
  const { error_code, remediation, details } = (envelope as Failure).data;
  return { code, error: envelope.error, error_code, remediation, details };
};

describe("a literal parameter", () => {
  it.each<[string[], string[]]>([
    [
      ["--", "node", "server.js", "--flag", "@x", "-"],
      ["node", "server.js", "--flag", "@x", "-"],
    ],
    [
      ["node", "server.js", "@@x"],
      ["node", "server.js", "@@x"],
    ],
    [
      ["node", "x", "--level", "low"],
      ["node", "x"],
    ],
    [
      ["--", "node", "--", "--level", "low", "--human", "-h", "--help", "--request-id", "x", "--version"],
      ["node", "--", "--level", "low", "--human", "-h", "--help", "--request-id", "x", "--version"],
    ],
    [["--", '["node","x"]'], ['["node","x"]']],
    [
      ["--cmd", "-", "--cmd=@x"],
      ["-", "@x"],
    ],
    [
      ["--command", "node", "--command=--flag", "--", "-x"],
      ["node", "--flag", "-x"],
    ],
    [
      ["--params", '{"command":["@a","-"]}'],
      ["@a", "-"],
    ],
    [
      ["--", "語 ", "", "\u001b[31m"],
      ["語 ", "", "\u001b[31m"],
    ],
  ])("takes %j as it stands", async (argv, words) => {
    expect(await checked(...argv)).toEqual(words);
  });

  it("that is no list of texts has its type all the same", async () => {
    const argv = ["contract", "start", "@@n", "1", "2", "--word", "@w"];
    expect(await dataOf(argv)).toEqual({ name: "@n", words: [1, 2], word: "@w" });
    expect(await dataOf(["contract", "start", "-", "--word=-"], "in")).toEqual({ name: "in", word: "-" });
  });

  it("says where an unknown option may have been meant for it", async () => {
    expect(await refusalOf("contract", "check", "node", "--flag")).toMatchObject({
      code: 2,
      error: 'demo contract check takes no option "--flag"',
      remediation: expect.stringMatching(/ Write -- before words that have options of their own\.$/),
    });
    expect((await refusalOf("contract", "validate", "--flag")).remediation).not.toContain("Write --");
  });

  it("keeps what stands behind -- out of our own refusals", async () => {
    const words = ["--", "node", "--human", "--request-id", "theirs", "--timeout", "1ms"];
    const { code, envelope, stderr } = await run("contract", "check", "--nope", ...words);
    expect([code, envelope.meta.request_id === "theirs", stderr]).toEqual([2, false, ""]);
    const late = await runWords(
      () => new Promise<typeof registry>((resolve) => setTimeout(() => resolve(registry), 20)),
      ["contract", "check", ...words],
    );
    expect(late.envelope.success).toBe(true);
  });

  it("shows the next page as it can be typed", async () => {
    const { stdout, stderr } = await run("contract", "check", "--human", "--", "node", "--x");
    expect(stdout).toBe("words:\n  word  index\n  node      0\n");
    const [, more = ""] = /^More: demo (.*)\n$/.exec(stderr) ?? [];
    expect(more).toMatch(/^contract check --command node --command=--x --cursor \S+ --human$/);
    expect((await run(...more.split(" "))).stdout).toBe("words:\n  word  index\n  --x       1\n");
  });
});

describe("a parameter that is a file", () => {
  it("has the content of the file or of stdin", async () => {
    const path = write("@a.json", '{"success":true}\n');
    const text = '{"success":true}\n';
    expect(await dataOf(["contract", "validate", path])).toEqual({ text });
    expect(await dataOf(["contract", "validate", "--text", path])).toEqual({ text });
    expect(await dataOf(["contract", "validate", "-"], text)).toEqual({ text });
    expect(await dataOf(["contract", "validate", "--text=-"], text)).toEqual({ text });
    // The content of the file is passed unchanged even if it looks like a list, a reference or null.
    for (const content of ["null", '["a"]', "@x", "-", ""]) {
      expect(await dataOf(["contract", "clear", "--note", "-"], content)).toEqual({ note: content });
      const argv = ["contract", "validate", "-", "--schema", write("schema", content)];
      expect(await dataOf(argv, content)).toEqual({ text: content, schema: content });
    }
    expect(await dataOf(["contract", "validate", "--params", '{"text":"@here"}'])).toEqual({ text: "@here" });
  });

  it.each([
    ["nowhere.json", "there is no such file"],
    ["@nowhere.json", "there is no such file"],
    ["", "there is no such file"],
    [folder, "it is a folder"],
    ["a\u0000b", "it cannot be read"],
  ])("cannot be the file %j", async (path, why) => {
    expect(await refusalOf("contract", "validate", path)).toEqual({
      code: 2,
      error: `Cannot read the file ${JSON.stringify(path).replace("\\u0000", "\u0000")} for <file>: ${why}`,
      error_code: "INVALID_PATH",
      remediation: "Name a file that can be read, or - for stdin.",
      details: { field: "<file>", constraint: "readable", received: path },
    });
  });

  it("is UTF-8, and has stdin once", async () => {
    const path = write("bad.json", Uint8Array.of(0x7b, 0xff));
    expect(await refusalOf("contract", "validate", path)).toMatchObject({
      code: 2,
      error_code: "INVALID_FORMAT",
    });
    expect(await refusalOf("contract", "validate", "-", "--schema", "-")).toMatchObject({
      code: 2,
      error: "Cannot read <file> from stdin: --schema has taken it",
      remediation: "Give - to one option only, and <file> a file.",
    });
  });
});

describe("what is told of them", () => {
  const help = async (word: string) => (await run("contract", word, "--help")).stdout;

  it("is in the help of a command", async () => {
    const check = await help("check");
    expect(check).toMatch(/^Usage: demo contract check \[options\] <command\.\.\.>\n/);
    expect(check.replace(/\s+/g, " ")).toContain(
      "command How it is started (may be repeated; @file is not expanded; required)",
    );
    expect(check).toContain(
      "\nWrite -- before command: all words after -- are taken literally.\n" +
        "Other values: @path reads the value from a file, - from stdin; a leading @@ means @.\n" +
        "\nExamples:\n  # one with options\n  demo contract check --level low -- node s.js --x -\n",
    );
    const validate = await help("validate");
    expect(validate).toMatch(/^Usage: demo contract validate \[options\] <file>\n/);
    expect(validate.replace(/\s+/g, " ")).toContain("file Envelopes (a file, or - for stdin; required)");
    expect(validate.match(/^ {2}--(text|schema) .*$/gm)).toEqual([
      "  --text <file>           Same as the argument file",
      "  --schema <file>         (a file, or - for stdin)",
    ]);
    expect(validate).not.toContain("Write --");
    expect(validate).toContain(`\n  demo contract validate --params '{"text":"{}"}'\n`);
  });

  it("is left to the shell, which completes names of files", async () => {
    const tree = createCommandTree(registry);
    const program = {
      name: "demo",
      command: "demo",
      about: "",
      version: "1",
      registry,
      tree,
      commands: [],
      options: [],
      resolvers: {},
    };
    const offered = async (...words: string[]) =>
      (await toCandidates(program, ["demo", "contract", ...words], words.length + 1)).map(
        ({ value }) => value,
      );
    expect(await offered("validate", "")).toEqual([]);
    expect(await offered("validate", "--text", "")).toEqual([]);
    expect(await offered("validate", "--te")).toEqual(["--text"]);
    expect(await offered("check", "--lev")).toEqual(["--level"]);
    expect(await offered("check", "--", "--lev")).toEqual([]);
    expect(await offered("check", "--", "node", "--level", "")).toEqual([]);
    expect(await offered("validate", "--", "x", "--te")).toEqual([]);
  });

  it.each([
    [{ literal: ["nothing"] }, "it takes no parameter nothing"],
    [{ files: ["nothing"] }, "it takes no parameter nothing"],
    [{ files: ["count"] }, "count names a file, but does not accept text"],
    [{ literal: ["text"], files: ["text"] }, "text is both literal and a file"],
  ])("is refused where it makes no sense: %j", async (cli, why) => {
    const wrong = createDemoRegistry({ tools: [placedTool(cli)] });
    const { code, envelope } = await runWords(wrong, ["placed"]);
    expect([code, envelope.error]).toEqual([1, `Cannot place placed on the command line: ${why}`]);
  });
});

describe("a call as words", () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{ command: ["node", "@x"] }, ["node", "@x"]],
    [{ command: ["node", "-"] }, ["--command", "node", "--command=-"]],
    [{ command: [] }, ["--params", '{"command":[]}']],
    [{ command: '["x"]' }, ["--params", '{"command":"[\\"x\\"]"}']],
    [{ command: ['["x"]'], level: "low" }, ['["x"]', "--level", "low"]],
  ])("%j", (args, argv) => {
    expect(toArgv(registry, "contract", { action: "check", ...args })).toEqual([
      "contract",
      "check",
      ...argv,
    ]);
  });

  it("gives a file's content with --params", () => {
    expect(toArgv(registry, "contract", { action: "validate", text: "x", schema: null })).toEqual([
      ...["contract", "validate", "--params", '{"text":"x","schema":null}'],
    ]);
  });

  it("is read as the same call again, whatever the values are", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }).map((given) => given.toWellFormed()),
      fc.constantFrom("-", "--", "--help", "@", "@@x", "=", "null", '["a"]', "-5", ""),
    );
    const words = fc.array(text, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(words, text, text, async (given, word, schema) => {
        const check = toArgv(registry, "contract", { action: "check", command: given, limit: 9 });
        expect(((await dataOf(check)) as { words: { word: string }[] }).words.map((row) => row.word)).toEqual(
          given,
        );
        const start = toArgv(registry, "contract", { action: "start", name: word, word, words: [1] });
        expect(await dataOf(start)).toEqual({ name: word, word, words: [1] });
        const validate = toArgv(registry, "contract", { action: "validate", text: word, schema });
        expect(await dataOf(validate)).toEqual({ text: word, schema });
      }),
    );
  });
});
