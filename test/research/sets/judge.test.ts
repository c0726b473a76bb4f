import { describe, expect, it } from "vitest";
import { rankOfAnswer } from "../../../bench/research/judge.ts";
import { citedDocuments } from "../../../bench/research/reports.ts";
import { type Outcome, toScores } from "../../../bench/research/scores.ts";

const text = `🌊 One tide. Two tides. ${"x".repeat(1_000)} Two tides.`;
const points = (unit: number) => Array.from(text.slice(0, unit)).length;
const set = {
  document: { file: "", package: "", version: "", path: "", sha256: "", licence: "" },
  answerable: [],
  unanswerable: [],
  bytes: new Uint8Array(),
  text,
  blocks: [],
  toCodePoints: ({ start, end }: { start: number; end: number }) => ({
    start: points(start),
    end: points(end),
  }),
};
const rankOf = (answer: string, ...passages: readonly (readonly [number, number])[]) =>
  rankOfAnswer(
    { id: "", question: "", answers: [answer] },
    set,
    passages.map(([start, end]) => ({ start, end })),
  );

describe("the judge of passages", () => {
  it("wants half of an answer, in code points, at any of its places", () => {
    expect(rankOf("One tide.", [2, 7])).toBe(1);
    expect(rankOf("One tide.", [2, 6])).toBeUndefined();
    expect(rankOf("Two tides.", [0, 3], [1013, 1033])).toBe(2);
  });

  it("looks at five passages, and at none of more than 800 code points", () => {
    const wrong = [0, 1] as const;
    expect(rankOf("One tide.", wrong, wrong, wrong, wrong, [2, 11])).toBe(5);
    expect(rankOf("One tide.", wrong, wrong, wrong, wrong, wrong, [2, 11])).toBeUndefined();
    expect(rankOf("One tide.", [0, 800])).toBe(1);
    expect(rankOf("One tide.", [0, 801])).toBeUndefined();
  });

  it("throws for an answer that the document does not have", () => {
    expect(() => rankOf("Three tides.", [0, 800])).toThrow('The document does not say "Three tides."');
  });
});

it("counts a question without an answer as 0, and unanswerable questions only for tokens", () => {
  const outcome = { id: "", document: "", confidence: undefined, isAnswerable: true };
  const outcomes: Outcome[] = [
    { ...outcome, rank: 1, tokens: 10 },
    { ...outcome, rank: 4, tokens: 20 },
    { ...outcome, tokens: 30 },
    { ...outcome, isAnswerable: false, tokens: 100 },
  ];
  expect(toScores(outcomes)).toEqual({
    questions: 3,
    recallAt1: 1 / 3,
    recallAt5: 2 / 3,
    mrr: 1.25 / 3,
    tokens: 40,
  });
});

it("reads the citations of a report in their order, wherever they are", () => {
  const cite = (source_id: string) => ({ source_id, locator: "char:0-1" });
  const sources = [
    { source_id: "source-1", name: "docs/a.md", locator: "char:0-1" },
    { source_id: "source-2", name: "docs/b.md" },
  ];
  const data = {
    themes: [{ findings: [{ citations: [cite("source-2")] }] }],
    more: cite("source-1"),
    sources,
  };
  expect(citedDocuments({ data }, "docs/")).toEqual(["b.md", "a.md"]);
  expect(() => citedDocuments({ data: { more: cite("source-3"), sources } }, "docs/")).toThrow(
    "The report cites source-3 but does not name it",
  );
});
