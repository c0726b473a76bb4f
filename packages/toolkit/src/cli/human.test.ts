import { describe, expect, it } from "vitest";
import { createMemoryArchive } from "../archive/memory-archive.ts";
import { defineTool } from "../define/tool.ts";
import { canvasOf } from "../terminal/canvas-of.ts";
import { widthOf } from "../terminal/terminal-text.ts";
import { toHumanData } from "./human.ts";
import { createDemoRegistry } from "./testing/demo-registry.ts";
import { createScreen, runWords } from "./testing/run-words.ts";

const show = (data: Record<string, unknown>, width?: number) =>
  toHumanData(data, { ...canvasOf(createScreen().stream, {}), width });

const specs = [
  { id: "spec-1", title: "語の規則", progress: { completed: 1, total: 4 }, rank: 7 },
  { id: "s2", title: "A \u001b[31mred\u001b[0m\ntitle", rank: 12, owner: null },
];

describe("an answer for people", () => {
  it("has tables for lists of objects, names and values for the rest", () => {
    expect(
      show({ specs, total_count: 2, tags: ["a", "b"], none: [], empty: {}, by: { name: "Ada", age: 36 } }),
    ).toMatchInlineSnapshot(`
      "specs:
        id      title                        progress              rank  owner
        spec-1  語の規則                     completed 1, total 4     7
        s2      A \\x1b[31mred\\x1b[0m\\ntitle                          12      -
      total_count: 2
      tags: a, b
      none: none
      empty: none
      by:
        name: Ada
        age: 36
      "
    `);
  });

  it("shortens prose to the width of the terminal, and no id", () => {
    const rows = [
      {
        id: "a-long-id-that-is-typed-again",
        title: "Some words that say what it is about, at length",
        rank: 7,
      },
      { id: "b", title: "Short", rank: 12 },
    ];
    const text = show({ rows }, 64);
    expect(text).toMatchInlineSnapshot(`
      "rows:
        id                             title                      rank
        a-long-id-that-is-typed-again  Some words that say what…     7
        b                              Short                        12
      "
    `);
    for (const line of text.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(64);
    expect(show({ rows }, 40)).toMatchInlineSnapshot(`
      "rows:
        id: a-long-id-that-is-typed-again
        title: Some words that say what it is
          about, at length
        rank: 7

        id: b
        title: Short
        rank: 12
      "
    `);
  });

  it("has one object after another where a table has no room", () => {
    expect(show({ specs }, 24)).toMatchInlineSnapshot(`
      "specs:
        id: spec-1
        title: 語の規則
        progress:
          completed: 1
          total: 4
        rank: 7

        id: s2
        title:
          A \\x1b[31mred\\x1b[0m
          title
        rank: 12
        owner: -
      "
    `);
  });

  it("is the text where there is nothing else", () => {
    expect(show({ document: "# Title\n\nText \u001b[2J" })).toBe("# Title\n\nText \\x1b[2J\n");
    expect(show({})).toBe("Nothing.\n");
  });

  it("shows texts of several lines as such", () => {
    expect(show({ id: "a", text: "one\ntwo\n" })).toBe("id: a\ntext:\n  one\n  two\n");
  });

  it("bears any payload", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(30)}[[1]]${"}".repeat(30)}`) as Record<string, unknown>;
    expect(show(deep).split("\n").length).toBeLessThan(12);
    expect(show({ list: [1, [2], { a: 1 }, null], yes: true })).toBe(
      "list:\n  - 1\n  - 2\n  - a: 1\n  - -\nyes: true\n",
    );
    const many = Array.from({ length: 200_000 }, (_, index) => ({ index }));
    expect(show({ many }).length).toBeGreaterThan(200_000);
  });
});

describe("--human", () => {
  const warned = defineTool({
    name: "warned",
    version: "1.0.0",
    description: "Warns",
    run: (_input, context) => {
      context.warn("Plain \u001b[31mwords");
      context.warn("STALE_CACHE", "The cache is old", { age: 3 });
      return { ok: true };
    },
  });
  const dated = defineTool({
    name: "dated",
    version: "1.0.0",
    description: "Returns what JSON writes in its own way",
    run: () => ({ at: new Date(0), left_out: undefined, rows: [{ at: new Date(1) }] }),
  });
  const empty = (name: string, readOnly: boolean) =>
    defineTool({ name, version: "1.0.0", description: "Has nothing to tell", readOnly, run: () => ({}) });
  const wide = defineTool({
    name: "wide",
    version: "1.0.0",
    description: "Has more columns than a terminal",
    run: () => ({
      rows: [1, 2].map((n) => Object.fromEntries([..."abcdef"].map((key) => [key, key.repeat(9) + n]))),
    }),
  });
  const registry = createDemoRegistry({
    tools: [warned, dated, empty("seen", true), empty("made", false), wide],
  });

  it("shows rows, and the command that gives the next page", async () => {
    const first = await runWords(registry, [
      "tasks",
      "list",
      "--human",
      "--status",
      "active",
      "--limit",
      "2",
    ]);
    expect([first.code, first.stdout]).toEqual([
      0,
      "tasks:\n  id      rank\n  task-0     0\n  task-1     1\n",
    ]);
    const [, more = ""] = /^More: demo (.*)\n$/.exec(first.stderr) ?? [];
    expect(more).toMatch(/^tasks find --status active --limit 2 --cursor [\w-]+ --human$/);
    const second = await runWords(registry, more.split(" "));
    expect(second.stdout).toBe("tasks:\n  id      rank\n  task-2     2\n  task-3     3\n");
    const [, rest = ""] = /^More: demo (.*)\n$/.exec(second.stderr) ?? [];
    const third = await runWords(registry, rest.split(" "));
    expect([third.stdout, third.stderr]).toEqual(["tasks:\n  id      rank\n  task-4     4\n", ""]);
  });

  it("shows what went wrong and what to do, on stderr", async () => {
    const failed = await runWords(registry, ["tasks", "complete", "s", "missing", "--human"]);
    expect([failed.code, failed.stdout, failed.stderr]).toEqual([
      1,
      "",
      "error: Task not found: missing (TASK_NOT_FOUND)\n",
    ]);
    const misused = await runWords(registry, ["tasks", "fnd", "--human"]);
    expect([misused.code, misused.stdout, misused.stderr]).toEqual([
      2,
      "",
      'error: demo tasks has no command "fnd" (VALIDATION_ERROR)\nDid you mean find? Use one of: find, list, complete.\ntry: demo tasks find --human\n',
    ]);
  });

  it("says of an empty answer whether something was done", async () => {
    const words = async (name: string) => (await runWords(registry, [name, "--human"])).stdout;
    expect([await words("seen"), await words("made")]).toEqual(["Nothing.\n", "Done.\n"]);
  });

  it("has one object after another where its width is known and has no room", async () => {
    const one = (n: number) => [..."abcdef"].map((key) => `  ${key}: ${key.repeat(9)}${n}\n`).join("");
    const objects = `rows:\n${one(1)}\n${one(2)}`;
    const table = /^rows:\n {2}a {11}b /;
    const show = async (look: object, env = {}) =>
      (await runWords(registry, ["wide", "--human"], look, { env: { NO_COLOR: "1", ...env } })).stdout;
    expect(await show({ isTTY: true, columns: 40 })).toBe(objects);
    expect(await show({ columns: 40 })).toBe(objects);
    expect(await show({}, { COLUMNS: "40" })).toBe(objects);
    for (const look of [{}, { isTTY: true, columns: 0 }, { isTTY: true }])
      expect(await show(look)).toMatch(table);
  });

  it("names the command that gives what was left out", async () => {
    const list = Array.from({ length: 2_000 }, (_, index) => ({ id: `id-${index}` }));
    const long = defineTool({ name: "long", version: "1.0.0", description: "Long", run: () => ({ list }) });
    const archive = createMemoryArchive();
    const kept = createDemoRegistry({ tools: [long], budget: { archive } });
    const ran = await runWords(kept, ["long", "--max-tokens", "400", "--human"]);
    const [, rest = ""] = /^Rest: demo (.*)$/m.exec(ran.stderr) ?? [];
    expect(rest).toMatch(/^content get --archive-id [\w-]+ --human$/);
    expect((await runWords(kept, rest.split(" "))).stdout).toContain("id-1999");
    // A payload that is empty only because of the budget must not be shown as an empty result.
    const none = await runWords(kept, ["long", "--max-tokens", "200", "--human"]);
    expect([none.stdout, none.stderr]).toEqual([
      "It has nothing else to show.\n",
      expect.stringContaining(`Rest: demo ${rest}\n`),
    ]);
    // A program without the tool `content` has no command for archived content.
    const bare = createDemoRegistry({ tools: [long], budget: { archive }, contentTool: false });
    expect((await runWords(bare, ["long", "--max-tokens", "400", "--human"])).stderr).not.toContain("Rest:");
  });

  it("shows just what JSON would tell", async () => {
    const { stdout } = await runWords(registry, ["dated", "--human"]);
    expect(stdout).toBe("at: 1970-01-01T00:00:00.000Z\nrows:\n  at\n  1970-01-01T00:00:00.001Z\n");
  });

  it("shows warnings", async () => {
    const { stdout, stderr } = await runWords(registry, ["--human", "warned"]);
    expect([stdout, stderr]).toEqual([
      "ok: true\n",
      "warning: Plain \\x1b[31mwords\nwarning: The cache is old\n",
    ]);
  });

  it("has colours on a terminal, unless they are refused", async () => {
    const terminal = { isTTY: true, columns: 80 };
    const coloured = await runWords(registry, ["warned", "--human"], terminal);
    expect(coloured.stdout).toBe("\u001b[1mok:\u001b[22m true\n");
    expect(coloured.stderr).toContain("\u001b[33mwarning:\u001b[39m Plain");
    const plain = await runWords(registry, ["warned", "--human"], terminal, { env: { NO_COLOR: "1" } });
    expect(plain.stdout).toBe("ok: true\n");
  });
});
