import { describe, expect, it } from "vitest";
import { readFolderSet } from "./folder-set.ts";
import { halves, inHalf } from "./question-sets.ts";

const { packages, files, questions, reports } = readFolderSet();
const names = files.map((file) => file.as);

describe("the questions about a folder", () => {
  it("are 40 over 200 files of at least four packages", () => {
    expect([questions.length, files.length, new Set(names).size]).toEqual([40, 200, 200]);
    expect([...new Set(files.map((file) => file.package))].sort()).toEqual(Object.keys(packages).sort());
    expect(Object.keys(packages).length).toBeGreaterThanOrEqual(4);
  });

  it("name documents of the folder, and no question comes twice", () => {
    const named = questions.flatMap(({ documents }) => documents);
    expect(named.filter((document) => !names.includes(document))).toEqual([]);
    expect(questions.filter(({ documents }) => documents.length === 0)).toEqual([]);
    expect(new Set(questions.map(({ question }) => question.toLowerCase())).size).toBe(questions.length);
    expect(questions.map(({ id }) => id)).toEqual([...new Set(questions.map(({ id }) => id))].sort());
  });

  it("are not the five for the reports that a person reads", () => {
    expect(new Set([...reports, ...questions.map(({ question }) => question)]).size).toBe(45);
  });

  it.each(halves)("are twenty in the half %s", (half) => {
    expect(inHalf(questions, half)).toHaveLength(20);
  });

  it("are about a folder with files that answer nothing", () => {
    const kinds = [
      "LICENSE.txt",
      "CHANGELOG.txt",
      "sitemap",
      ".png",
      ".ico",
      ".inv",
      ".min.js",
      ".css",
      "node_modules",
    ];
    for (const kind of kinds) expect(names.some((name) => name.includes(kind))).toBe(true);
  });
});
