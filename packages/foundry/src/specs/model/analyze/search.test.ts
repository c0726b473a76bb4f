import { describe, expect, it } from "vitest";
import { SpecModel } from "../spec-model.ts";
import { breakSpec } from "../validate/testing/valid-spec.ts";
import { fold, searchSpecs } from "./search.ts";

const spec = new SpecModel(
  breakSpec({
    "metadata.description": "About the harbour",
    "hierarchy.task-1-2.title": "Überprüfe die Straße",
    "hierarchy.task-1-1.metadata.acceptance_criteria": ["Ships moor", "HARBOUR lights work"],
    "hierarchy.task-1-1.metadata.file_path": "src/harbour/lights.ts",
    journal: [
      { title: "Note", content: "The lights\nof the harbour", task_id: "task-1-1" },
      { content: "harbour" },
    ],
  }),
);
const find = (query: string) => [...searchSpecs([spec], query)];

describe("searchSpecs", () => {
  it("finds texts that hold all words, in the order of the spec", () => {
    const here = { spec_id: "sample-2026-01-01-001", task_id: "task-1-1" };
    expect(find("  lights Harbour ")).toEqual([
      { ...here, field: "acceptance_criteria", title: "Do it", snippet: "HARBOUR lights work" },
      { ...here, field: "file_path", title: "Do it", snippet: "src/harbour/lights.ts" },
      { ...here, field: "journal", title: "Note", snippet: "Note The lights of the harbour" },
    ]);
    expect(find("harbour").map(({ field }) => field)).toEqual([
      ...["description", "acceptance_criteria", "file_path", "journal", "journal"],
    ]);
  });

  it("ignores case and accents", () => {
    expect(find("uberprufe STRASSE").map(({ task_id: id }) => id)).toEqual(["task-1-2"]);
    expect(find("ＤＯ　ＩＴ").map(({ task_id: id }) => id)).toEqual(["task-1-1"]);
  });

  it("finds nothing for an empty query, and splits the query into words", () => {
    expect([find(""), find(" \n"), find(".*"), find("harbour airport")]).toEqual([[], [], [], []]);
  });

  it("goes on with the next spec", () => {
    expect([...searchSpecs([spec, spec], "moor")].length).toBe(2);
    expect(searchSpecs([spec, spec], "moor").next().value?.snippet).toBe("Ships moor");
  });

  it("shows the text around a word without splitting a character", () => {
    const text = `${"😀".repeat(300)} needle ${"ß".repeat(300)}`;
    const [hit] = searchSpecs(
      [new SpecModel(breakSpec({ "hierarchy.task-1-1.metadata.description": text }))],
      "Needle",
    );
    expect(hit?.snippet).toMatch(/^…(😀)+ needle ß+…$/u);
  });

  it("folds a text and maps indexes back", () => {
    const folded = fold("Ⅷ Straße ΟΔΟΣ");
    expect(folded.text).toBe("viii strasse οδοσ");
    expect("Ⅷ Straße ΟΔΟΣ".slice(folded.toOriginal(folded.text.indexOf("οδοσ")))).toBe("ΟΔΟΣ");
  });
});
