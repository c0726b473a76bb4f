import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toContentWords, toShared } from "../word-overlap.ts";
import { checkLabels } from "./check-labels.ts";
import { obtainDocument, Unavailable } from "./obtain-document.ts";
import { type Answerable, halves, inHalf, readQuestionSets, setsFolder } from "./question-sets.ts";

const sets = readQuestionSets();
const answerable = sets.flatMap((set) => set.answerable);
const unanswerable = sets.flatMap((set) => set.unanswerable);

/** Returns the share of the question's content words that the closest answer has. */
function overlapOf({ question, answers }: Answerable): number {
  const shared = answers.map((answer) => toShared(question, answer, "en").length);
  return Math.max(...shared) / toContentWords(question, "en").length;
}
const isHard = (question: Answerable) => overlapOf(question) < 0.5;

describe("the questions about packaged documents", () => {
  it("are 120 with an answer and 40 without, over documents of at least four packages", () => {
    expect([answerable.length, unanswerable.length]).toEqual([120, 40]);
    expect(new Set(sets.map(({ document }) => document.package)).size).toBeGreaterThanOrEqual(4);
    const judges = sets.filter(({ document }) => /^(git|postgresql)-doc/.test(document.package));
    expect(judges).toEqual([]);
  });

  it("have ids of their document, and no question comes twice", () => {
    for (const { document, answerable, unanswerable } of sets) {
      const name = document.file.replace(/\.\w+$/, "");
      const numbered = answerable.map((_, at) => `${name}-${String(at + 1).padStart(2, "0")}`);
      expect(answerable.map(({ id }) => id)).toEqual(numbered);
      expect(unanswerable.map(({ id }) => id)).toEqual(unanswerable.map((_, at) => `${name}-none-${at + 1}`));
    }
    const questions = [...answerable, ...unanswerable].map(({ question }) => question.toLowerCase());
    expect(new Set(questions).size).toBe(questions.length);
  });

  it("have answers of at most 500 characters", () => {
    const lengths = answerable.flatMap(({ answers }) => answers.map((answer) => Array.from(answer).length));
    expect(Math.min(...lengths)).toBeGreaterThan(10);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(500);
    expect(answerable.filter(({ answers }) => answers.length === 0)).toEqual([]);
  });

  it.each(halves)("have a third that shares fewer than half of its words, in the half %s too", (half) => {
    const own = sets.flatMap((set) => inHalf(set.answerable, half));
    expect(own).toHaveLength(60);
    expect(own.filter(isHard).length / own.length).toBeGreaterThanOrEqual(1 / 3);
    expect(own.filter(isHard).length / own.length).toBeLessThanOrEqual(0.4);
  });

  it.each(halves)("have a rare word in half of those without an answer, in the half %s too", (half) => {
    const own = sets.flatMap((set) => inHalf(set.unanswerable, half));
    expect(own.length).toBe(20);
    expect(own.filter(({ shares }) => shares !== undefined).length).toBe(10);
  });

  it("are as the page says", () => {
    const rows = sets.map(({ document, answerable, unanswerable }) => {
      const mean = answerable.map(overlapOf).reduce((a, b) => a + b, 0) / answerable.length;
      const counts = [answerable.length, answerable.filter(isHard).length, mean.toFixed(2)];
      return `| ${[document.file, document.package, ...counts, unanswerable.length, document.licence].join(" | ")} |`;
    });
    const page = readFileSync(join(setsFolder, "README.md"), "utf8");
    expect(
      page.match(/^\| [\w-]+\.(?:html|md|txt|pdf) .*$/gmu)?.map((row) => row.replace(/ +/g, " ")),
    ).toEqual(rows);
  });
});

describe("the documents", () => {
  it("in the repository have at most 600 kB and a licence that allows it", () => {
    const folder = join(setsFolder, "documents");
    const files = readdirSync(folder).filter((file) => file.endsWith(".gz"));
    const sizes = files.map((file) => statSync(join(folder, file)).size);
    expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThan(600_000);
    const licences = sets
      .filter(({ document }) => files.includes(`${document.file}.gz`))
      .map(({ document }) => document.licence);
    expect(licences).toHaveLength(files.length);
    expect(new Set(licences)).toEqual(new Set(["public domain", "Apache-2.0", "MIT"]));
  });

  it.for(sets)("$document.file has the answers", async (set, { skip }) => {
    const bytes = await obtainDocument(set.document).catch((error: unknown) => {
      if (error instanceof Unavailable) return skip(`skipped because ${error.message}`);
      throw error;
    });
    await checkLabels(set, bytes);
  });
});
