import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPage, tablesUnder, withoutCode } from "./markdown.ts";
import { readSourceFiles, root } from "./source-files.ts";

const pages = ["ARCHITECTURE.md", "docs/explain/traces.md"];

/** The path in the repository that a page shortens: `toolkit/cli/help.ts` is `packages/toolkit/src/cli/help.ts`. */
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
