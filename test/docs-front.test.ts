import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPage } from "./markdown.ts";
import { root } from "./source-files.ts";

const pages = [
  "README.md",
  ...readdirSync(join(root, "docs/start")).map((name) => `docs/start/${name}`),
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/README.md`),
];

/** The commands of the generated reference, with their other names: "specs find", "specs list", "serve". */
const reference = readPage("docs/reference/cli.md");
const headings = [...reference.matchAll(/^###? (.+)$/gm)].map(([, name = ""]) => name);
const otherNames = [...reference.matchAll(/Also: ((?:`[^`]+`(?:, )?)+)/g)].flatMap(([, names = ""]) =>
  [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
);
const commands = new Set([...headings, ...otherNames]);
const groups = new Set(
  [...commands].filter((name) => name.includes(" ")).map((name) => name.split(" ")[0] ?? ""),
);

/**
 * Returns the commands that a text names after `foundry-mcp` or `foundry-cli`. A command has one word, or two words
 * if it is in a group.
 */
function commandsIn(text: string): string[] {
  const named = text.matchAll(/(?:foundry-mcp|foundry-cli) ([a-z][a-z-]*)(?![\w:/-])(?: ([a-z][a-z-]*))?/g);
  return [...named].map(([, first = "", second = ""]) =>
    groups.has(first) ? `${first} ${second}`.trim() : first,
  );
}

/** Returns the texts that a reader types, which are shell blocks and code within sentences. */
function typedIn(page: string): string {
  const text = readPage(page);
  const blocks = [...text.matchAll(/^```(?:sh|bash)\b[^\n]*\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  const spans = [...text.replace(/^```.*?^```$/gms, "").matchAll(/`([^`]+)`/g)].map(([, code = ""]) =>
    code.replace(/\s+/g, " "),
  );
  return [...blocks, ...spans].join("\n");
}

describe.each(pages)("%s", (page) => {
  const typed = typedIn(page);

  it("names commands that exist", () => {
    expect(commandsIn(typed).filter((name) => !commands.has(name))).toEqual([]);
  });

  it("runs no package of somebody else, and nothing that is right on one day only", () => {
    expect(typed.match(/npx foundry-cli.*|.*\b\d{4}-\d\d-\d\d-\d{3}\b.*|.* > \S+\.json.*/g) ?? []).toEqual(
      [],
    );
  });
});

describe("README.md", () => {
  it("is read in a few minutes", () => {
    const text = readPage("README.md");
    expect(text.split("\n").length).toBeLessThanOrEqual(230);
    expect(text.length).toBeLessThanOrEqual(9_500);
  });

  it("begins with what people run, and comes to programs and servers afterwards", () => {
    expect([...readPage("README.md").matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      "Try it",
      "Use it in a project",
      "Use it from agents and programs",
      "Write a server",
      "Check a server",
      "Put servers behind a gateway",
      "Where to go",
    ]);
  });

  it("names commands of which a wrong one would be found", () => {
    expect(commandsIn(typedIn("README.md")).length).toBeGreaterThan(8);
    expect(commandsIn("npx foundry-mcp specs nope").filter((name) => !commands.has(name))).toEqual([
      "specs nope",
    ]);
  });
});
