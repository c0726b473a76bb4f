import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { describe, expect, it } from "vitest";
import { readPage } from "./markdown.ts";
import { root } from "./source-files.ts";

const page = "docs/reference/documents.md";

/** Statements that Foundry does not implement yet. The list may only get shorter. */
const pending: readonly string[] = [];

/** A row of the page. `places` and `tests` contain the texts between backticks. */
interface Statement {
  readonly id: string;
  readonly statement: string;
  readonly places: readonly string[];
  readonly tests: readonly { readonly file: string; readonly title: string }[];
  readonly note: string;
}

const rows = readPage(page)
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map(toStatement);

function toStatement(line: string): Statement {
  const cells = line.split(/(?<!\\)\|/).slice(1, -1);
  const [id = "", statement = "", where = "", shown = "", note = "", ...rest] = cells.map((cell) =>
    cell.trim().replaceAll("\\|", "|"),
  );
  if (cells.length !== 5 || rest.length > 0) throw new Error(`${page}: "${line}" has not five cells`);
  const tests = [...shown.matchAll(/`([^`]+)`: `([^`]+)`/g)];
  const written = tests.map(([pair]) => pair).join("; ");
  if (shown !== written) throw new Error(`${page}: ${id} names its tests as "${shown}"`);
  return {
    id,
    statement,
    places: [...where.matchAll(/`([^`]+)`/g)].map(([, place = ""]) => place),
    tests: tests.map(([, file = "", title = ""]) => ({ file, title })),
    note,
  };
}

interface SyntaxNode {
  readonly type: string;
  readonly [member: string]: unknown;
}

const titles = new Map<string, readonly string[]>();

/** Returns the titles of the tests in a file, and the texts in tables from which titles are formatted. */
function titlesOf(file: string): readonly string[] {
  const known = titles.get(file);
  if (known !== undefined) return known;
  const found: string[] = [];
  const code = readFileSync(join(root, file), "utf8");
  visit(parseAst(code, { lang: "ts" }) as unknown as SyntaxNode, (node) => {
    if (node.type !== "CallExpression" || !isTestFunction(node["callee"] as SyntaxNode)) return;
    const given = node["arguments"] as readonly SyntaxNode[];
    const isTable = isEach(node["callee"] as SyntaxNode);
    for (const argument of isTable ? given : given.slice(0, 1))
      visit(argument, (part) => found.push(...textOf(part)));
  });
  titles.set(file, found);
  return found;
}

function visit(node: SyntaxNode, see: (node: SyntaxNode) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof (child as SyntaxNode | null)?.type === "string") visit(child as SyntaxNode, see);
    }
  }
}

/** Returns true for `it`, `describe.skipIf(…)`, `test.each(…)` and similar functions. */
function isTestFunction(callee: SyntaxNode): boolean {
  if (callee.type === "Identifier") return ["describe", "it", "test"].includes(String(callee["name"]));
  const inner = callee["callee"] ?? callee["object"];
  return inner !== undefined && isTestFunction(inner as SyntaxNode);
}

function isEach(callee: SyntaxNode): boolean {
  return (callee["property"] as SyntaxNode | undefined)?.["name"] === "each";
}

function textOf(node: SyntaxNode): readonly string[] {
  if (node.type === "Literal" && typeof node["value"] === "string") return [node["value"]];
  if (node.type !== "TemplateElement") return [];
  return [String((node["value"] as { readonly cooked: unknown }).cooked)];
}

/** Returns true for a file, or for a command or action that the reference describes. */
function isPlace(place: string): boolean {
  if (place.startsWith("foundry-cli ")) {
    return readPage("docs/reference/cli.md").includes(`\n### ${place.replace("foundry-cli ", "")}\n`);
  }
  if (place.includes("(action=")) return readPage("docs/reference/tools.md").includes(`\n### ${place}\n`);
  return existsSync(join(root, place));
}

describe("docs/reference/documents.md", () => {
  it("has a section for each document, with rows that are numbered in order", () => {
    const sections = readPage(page).split(/^## /m).slice(1);
    expect(sections.map((section) => section.split("\n")[0])).toEqual([
      "Response contract",
      "Response envelope guide",
      "MCP response schema guide",
      "Response contract for tool users",
      "envelope-v1",
    ]);
    const ids = sections.map((section) => [...section.matchAll(/^\| (\d\S*) /gm)].map(([, id]) => id));
    expect(ids).toEqual(
      ids.map((list, document) =>
        list.map((_, index) => `00${document}-${String(index + 1).padStart(2, "0")}`),
      ),
    );
    expect(rows.map(({ id }) => id)).toEqual(ids.flat());
  });

  it("names places that exist", () => {
    const unknown = rows.filter(({ places }) => places.length === 0 || !places.every(isPlace));
    expect(unknown.map(({ id, places }) => ({ id, places }))).toEqual([]);
  });

  it("names a test for every statement that holds, by a part of its title", () => {
    const unshown = rows.filter(({ id, tests }) => tests.length === 0 && !pending.includes(id));
    expect(unshown).toEqual([]);
    const missing = rows.flatMap(({ id, tests }) =>
      tests
        .filter(({ file }) => !file.endsWith(".test.ts") || !existsSync(join(root, file)))
        .map(({ file }) => `${id}: ${file}`),
    );
    expect(missing).toEqual([]);
    const untitled = rows.flatMap(({ id, tests }) =>
      tests
        .filter(({ file, title }) => !titlesOf(file).some((text) => text.includes(title)))
        .map(({ file, title }) => `${id}: ${file}: ${title}`),
    );
    expect(untitled).toEqual([]);
  });

  it("marks as not yet exactly the statements that do not hold", () => {
    expect(rows.filter(({ note }) => /not yet/i.test(note)).map(({ id }) => id)).toEqual(pending);
    expect(rows.filter(({ note }) => /^not yet: ./.test(note)).map(({ id }) => id)).toEqual(pending);
  });

  it("gives a reason wherever it says that Foundry differs", () => {
    const bare = rows.filter(({ note }) => /differs/i.test(note) && !/^Differs[^:]*: .{20,}/.test(note));
    expect(bare).toEqual([]);
    expect(rows.filter(({ statement }) => statement === "")).toEqual([]);
  });
});
