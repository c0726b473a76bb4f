import { spawnSync } from "node:child_process";
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../define/tool.ts";
import { createCommandTree } from "./command-tree.ts";
import { createGlobalValues } from "./global-options.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { createTextReader } from "./read-text.ts";
import { toShellCommand } from "./shell-words.ts";
import { createDemoRegistry } from "./testing/demo-registry.ts";
import { toArgv } from "./to-argv.ts";

const note = defineTool({
  name: "note",
  version: "1.0.0",
  description: "Takes texts that may be null",
  input: z.object({ to: z.string().nullable(), text: z.string().nullable() }),
  run: (input) => input,
});
const registry = createDemoRegistry({ tools: [note] });
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

const read = async (argv: readonly string[]) => {
  const wishes = createGlobalValues();
  const line = await parseCommandLine(
    program,
    argv,
    wishes,
    createTextReader(() => Readable.from([])),
  );
  return line.kind === "call" ? { tool: line.command.tool.name, args: line.args } : line;
};

describe("a call as words", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["echo_all", { text: "hi", count: 3 }, ["echo-all", "--text", "hi", "--count", "3"]],
    ["repeat", { text: "hi" }, ["repeat", "--text", "hi"]],
    ["echo_all", { is_open: true }, ["echo-all", "--is-open"]],
    ["echo_all", { is_open: false }, ["echo-all", "--no-is-open"]],
    ["echo_all", { tags: ["a", "b"] }, ["echo-all", "--tags", "a", "--tags", "b"]],
    ["echo_all", { tags: [] }, ["echo-all", "--tags", "[]"]],
    ["echo_all", { shape: { width: 1 } }, ["echo-all", "--shape", '{"width":1}']],
    ["echo_all", { text: "@home" }, ["echo-all", "--text", "@@home"]],
    ["echo_all", { text: "--human" }, ["echo-all", "--text=--human"]],
    ["echo_all", { text: "-" }, ["echo-all", "--params", '{"text":"-"}']],
    ["echo_all", { text: 7, count: "x" }, ["echo-all", "--count", "x", "--params", '{"text":7}']],
    ["echo_all", { what: 1 }, ["echo-all", "--params", '{"what":1}']],
    ["echo_all", { either: "5" }, ["echo-all", "--either", '"5"']],
    ["task_list", { action: "find", limit: 5 }, ["tasks", "find", "--limit", "5"]],
    ["task_list", { action: "search_all" }, ["task_list", "search_all"]],
    ["todo", { action: "find" }, ["todo", "find"]],
    ["task_list", { action: "complete", spec_id: "s", task_id: "t" }, ["tasks", "complete", "s", "t"]],
    ["task_list", { action: "complete", task_id: "t" }, ["tasks", "complete", "--task-id", "t"]],
    [
      "task_list",
      { action: "complete", spec_id: "s", taskId: "t" },
      ["tasks", "complete", "s", "--taskId", "t"],
    ],
    [
      "task_list",
      { action: "complete", spec_id: "s", task_id: "-t" },
      ["tasks", "complete", "s", "--task-id=-t"],
    ],
    [
      "task_list",
      { action: "tag_all", word: "w", tags: ["a", "b"] },
      ["task-list", "tag-all", "w", "a", "b"],
    ],
    ["odd", { timeout: 3, json: "x" }, ["odd", "--arg-timeout", "3", "--arg-json", "x"]],
    ["odd", { "with space": "x" }, ["odd", "--params", '{"with space":"x"}']],
    ["odd", { cache: false, no_cache: true }, ["odd", "--arg-no-cache", "--no-arg-cache"]],
    ["odd", { cache: true, no_cache: false }, ["odd", "--no-arg-no-cache", "--cache"]],
    ["note", { to: null, text: '"x"' }, ["note", "--to", "null", "--text", '"x"']],
    ["note", { to: '"x"', text: null }, ["note", "--to", '"x"', "--text", "null"]],
    ["note", { to: "null" }, ["note", "--params", '{"to":"null"}']],
  ])("%s %j", async (tool, args, argv) => {
    expect(toArgv(registry, tool, args)).toEqual(argv);
    const { action, ...rest } = args;
    const known = registry.tools.find(({ name, aliases = [] }) => [name, ...aliases].includes(tool));
    const present = known?.findAction(String(action))?.name;
    expect(await read(argv)).toEqual({
      tool: known?.name,
      args: known?.isPlain ? rest : { action: present, ...rest },
    });
  });

  it("refuses what stands nowhere", () => {
    expect(() => toArgv(registry, "task_list", { action: "secret" })).toThrow(/it has no command/);
    expect(() => toArgv(registry, "task_list", { action: "fnd" })).toThrow(/Action not found: fnd/);
    expect(() => toArgv(registry, "tsk")).toThrow(/Tool not found: tsk/);
  });

  it("is read as the same call again, whatever the values are", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }).map((given) => given.toWellFormed()),
      fc.constantFrom("-", "--", "--help", "@", "@@x", "=", "null", "true", '"q"', "[1]", "-5", ""),
    );
    const any = fc.oneof(fc.jsonValue(), text);
    const args = fc.dictionary(
      fc.constantFrom(
        ...["text", "count", "share", "is_open", "size", "level", "tags", "ranks", "shape", "either"],
        ...["anything", "parent", "unknown"],
      ),
      fc.oneof(any, fc.array(text, { maxLength: 3 }), fc.boolean(), fc.integer()),
    );
    await fc.assert(
      fc.asyncProperty(args, async (given) => {
        const plain = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
        expect(await read(toArgv(registry, "echo_all", plain))).toEqual({ tool: "echo_all", args: plain });
      }),
    );
  });
});

describe("a command for a shell", () => {
  it("is quoted where it must be", () => {
    expect(toShellCommand(["demo", "a b", "it's", "", "--x=1", "$HOME", "語", "a\nb\tc"])).toBe(
      "demo 'a b' 'it'\\''s' '' --x=1 '$HOME' '語' 'a\nb\tc'",
    );
    // Inside quotes, fish would reduce two backslashes to one.
    expect(toShellCommand(["\\n", "a\\\\n", "\\'", "end\\"])).toBe("'\\n' 'a'\\\\'\\n' \\\\\\' 'end'\\\\");
    expect(toShellCommand(["a\nb\u001b[", "\u202ex"])).toBe("$'a\\nb\\u001b[' $'\\u202ex'");
  });

  const hard = [
    "~",
    "*",
    "#",
    "!",
    "a=b",
    "{a,b}",
    "%self",
    "=ls",
    "^",
    "(x)",
    "\\",
    "'\\'",
    "\\\\'",
    "\n\t",
  ];
  const sample = (text: fc.Arbitrary<string>) => fc.sample(text, { numRuns: 300, seed: 7 });
  const readBy = (shell: string, words: readonly string[]) => {
    const script = `printf '%s\\0' ${toShellCommand(words)}`;
    const env = { ...process.env, LC_ALL: "C.UTF-8" };
    const { stdout } = spawnSync(shell, ["-c", script], { encoding: "utf8", env });
    return stdout.split("\0").slice(0, -1);
  };
  const isMissing = (shell: string) => spawnSync(shell, ["-c", "true"]).error !== undefined;

  // sh is always available; the test of any other shell is skipped if the shell is not installed.
  const shells = ["sh", "dash", "bash", "zsh", "fish"].map((shell) => ({ shell, skip: isMissing(shell) }));
  for (const { shell, skip } of shells) {
    it.skipIf(skip)(`means the same words to ${shell}${skip ? ", which is not installed" : ""}`, () => {
      const quotes = fc.string({
        unit: fc.constantFrom("\\", "'", '"', "n", " ", "$", "`", "!", "\n", "\t"),
      });
      const texts = fc.string({ unit: "grapheme" }).filter((text) => !/\p{C}/u.test(text));
      const words = [...sample(quotes), ...sample(texts), ...hard];
      expect(readBy(shell, words)).toEqual(words);
    });
  }

  for (const { shell, skip } of shells.filter((each) => ["bash", "zsh"].includes(each.shell))) {
    it.skipIf(skip)(`means control characters to ${shell}${skip ? ", which is not installed" : ""}`, () => {
      const binary = fc.string({ unit: "binary" }).map((text) => text.toWellFormed().replaceAll("\0", ""));
      const words = [...sample(binary), "\u0085", "\u2028", "\r\n\t"];
      expect(readBy(shell, words)).toEqual(words);
    });
  }
});
