import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPage, tablesUnder, withoutCode } from "./markdown.ts";
import { readSourceFiles, root } from "./source-files.ts";

const pages = ["ARCHITECTURE.md", "docs/explain/traces.md"];

/**
 * Returns the path in the repository for a path that a page shortens: `toolkit/cli/help.ts` is
 * `packages/toolkit/src/cli/help.ts`.
 */
const toRepositoryPath = (short: string) =>
  short.replace(/^(contract|toolkit|foundry)\//, "packages/$1/src/");
const exists = (path: string) => existsSync(join(root, toRepositoryPath(path)));

describe.each(pages)("%s", (page) => {
  it("names files that exist, each with its folder", () => {
    const paths = [
      ...readPage(page).matchAll(/`((?:contract|toolkit|foundry|test|bench|scripts|examples)\/[\w./-]+)`/g),
    ];
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.map(([, path = ""]) => path).filter((path) => !exists(path))).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  it("fits on two screens", () => {
    expect(readPage("ARCHITECTURE.md").split("\n").length).toBeLessThanOrEqual(120);
  });

  it("has a row for every folder of the packages, with a file to start at", () => {
    const [rows = []] = tablesUnder("ARCHITECTURE.md", "## The map");
    const folders = new Set(
      readSourceFiles()
        .filter(({ isTest }) => !isTest)
        .map(({ path }) => dirname(path).split("/"))
        .filter((parts) => parts.length > 3)
        .map((parts) => `${parts[1]}/${parts[3]}`),
    );
    expect(rows.map(({ folder }) => folder ?? "").toSorted()).toEqual([...folders].toSorted());
    for (const { folder, "start at": start } of rows) {
      const path = `${folder}/${start}`;
      expect(exists(path), path).toBe(true);
    }
  });

  it("links to pages that exist", () => {
    const links = [...withoutCode(readPage("ARCHITECTURE.md")).matchAll(/\]\(([^)#]+)/g)];
    expect(links.map(([, link = ""]) => link).filter((link) => !existsSync(join(root, link)))).toEqual([]);
  });
});

describe("docs/explain/lifecycle.md", () => {
  const page = readPage("docs/explain/lifecycle.md");
  const drawing = /^```text\n(.*?)^```$/ms.exec(page)?.[1] ?? "";

  it("draws the steps in the order in which dispatch.ts runs them", () => {
    const text = readPage("packages/toolkit/src/dispatch/dispatch.ts");
    const body = text.slice(
      text.indexOf("export async function dispatch("),
      text.indexOf("\n  } catch (thrown)"),
    );
    const steps = [...text.matchAll(/^import \{([^}]*)\} from "\.\/([\w-]+\.ts)";$/gm)]
      .map(([, names = "", file = ""]) => ({ file, at: firstUse(body, names) }))
      .filter(({ at }) => at !== -1)
      .sort((a, b) => a.at - b.at)
      .map(({ file }) => file);
    const drawn = [...drawing.matchAll(/[\w-]+\.ts/g)].map(([name]) => name);
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.filter((file) => drawn.includes(file))).toEqual(steps);
    expect(steps).toEqual(steps.toSorted((a, b) => drawn.indexOf(a) - drawn.indexOf(b)));
  });

  it("names files of the toolkit that exist", () => {
    const known = new Set(readSourceFiles().map(({ path }) => basename(path)));
    const named = [...new Set(page.match(/[\w-]+\.ts\b/g))];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

/** Returns the position at which one of the imported values is first called or constructed. */
function firstUse(body: string, names: string): number {
  const uses = names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => body.search(new RegExp(`\\b${name}\\(`)))
    .filter((at) => at !== -1);
  return uses.length === 0 ? -1 : Math.min(...uses);
}
