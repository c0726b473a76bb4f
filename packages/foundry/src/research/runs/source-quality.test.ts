import type { EvidenceSnippet } from "@foundry-mcp/contract/digest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { qualityOf } from "./source-quality.ts";

const quote = (text: string, relevance_score: number): EvidenceSnippet => ({
  text,
  locator: "char:0-1",
  relevance_score,
});
const question = "When is the tide highest?";

describe("qualityOf", () => {
  it.each([
    ["no quote", [], { level: "none", coverage: 0 }],
    ["other words", [quote("Bread and cheese.", 1)], { level: "none", coverage: 0 }],
    [
      "every word, the best score",
      [quote("The tide is highest when it rains.", 1)],
      { level: "high", coverage: 1 },
    ],
    [
      "every word in two quotes, weakly",
      [quote("The tide when", 0.1), quote("is highest", 0.1)],
      { level: "high", coverage: 1 },
    ],
    ["two words of five, strongly", [quote("Tide is water.", 0.6)], { level: "high", coverage: 0.4 }],
    ["two words of five", [quote("Tide is water.", 0.3)], { level: "medium", coverage: 0.4 }],
    [
      "two words, a second quote that says little",
      [quote("Tide is water.", 0.3), quote("Water.", 0)],
      { level: "low", coverage: 0.4 },
    ],
    ["one word", [quote("Tides.", 0.1)], { level: "low", coverage: 0.2 }],
    [
      "a third quote, which does not count",
      [quote("Tide is water.", 0.3), quote("Tide.", 0.3), quote("It.", 0)],
      { level: "medium", coverage: 0.4 },
    ],
  ] as const)("rates %s", (_, evidence, quality) => {
    expect(qualityOf(question, evidence)).toEqual(quality);
  });

  it("rates Chinese, Russian and Arabic", () => {
    expect(qualityOf("潮水什么时候最高", [quote("春天满月之后潮水最高。", 0.5)])).toEqual({
      level: "medium",
      coverage: 0.2857,
    });
    expect(qualityOf("Когда прилив выше?", [quote("Прилив выше весной.", 0.5)])).toEqual({
      level: "high",
      coverage: 0.6667,
    });
    expect(qualityOf("متى يكون المد أعلى", [quote("المد أعلى في الربيع.", 0.5)])).toEqual({
      level: "high",
      coverage: 0.5,
    });
  });

  const words = fc.array(fc.constantFrom("tide", "moon", "sea", "wind", "bread"), { maxLength: 6 });
  const evidence = fc.array(
    fc
      .tuple(words, fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([some, score]) => quote(some.join(" "), score)),
    { maxLength: 5 },
  );

  it("is independent of the order of quotes, with coverage from 0 to 1, and none exactly for 0", () => {
    fc.assert(
      fc.property(words, evidence, (asked, quotes) => {
        const quality = qualityOf(asked.join(" "), quotes);
        expect(qualityOf(asked.join(" "), quotes.toReversed())).toEqual(quality);
        expect(quality.coverage).toBeGreaterThanOrEqual(0);
        expect(quality.coverage).toBeLessThanOrEqual(1);
        expect(quality.level === "none").toBe(quality.coverage === 0);
      }),
    );
  });

  it("never falls when scores rise", () => {
    const levels = ["none", "low", "medium", "high"];
    fc.assert(
      fc.property(words, evidence, (asked, quotes) => {
        const better = quotes.map((each) => ({
          ...each,
          relevance_score: Math.min(1, each.relevance_score + 0.2),
        }));
        const rankOf = (some: readonly EvidenceSnippet[]) =>
          levels.indexOf(qualityOf(asked.join(" "), some).level);
        expect(rankOf(better)).toBeGreaterThanOrEqual(rankOf(quotes));
      }),
    );
  });
});
