import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepCitedSentences } from "./cited-sentences.ts";

describe("keepCitedSentences", () => {
  it.each([
    ["citations before the full stop", "A rises [1]. B falls [2][3].", "A rises [1]. B falls [2][3].", 0],
    ["citations behind the full stop", "A rises. [1] B falls.[2] [3]", "A rises [1]. B falls [2] [3].", 0],
    ["lists of citations", "A rises [1, 2; 3].", "A rises [1][2][3].", 0],
    ["leading zeros", "A rises [01].", "A rises [1].", 0],
    [
      "a sentence that begins with one",
      "A rises [1]. [2] says that B falls.",
      "A rises [1]. [2] says that B falls.",
      0,
    ],
    ["a sentence without one", "A rises [1]. It is so. B falls [2].", "A rises [1]. B falls [2].", 1],
    ["a short sentence without one", "So it is. A rises [1].", "A rises [1].", 1],
    ["citations of no claim", "A rises [0]. B falls [4]. C [99999999999999999999].", "", 3],
    ["a citation of no claim beside one", "A rises [1] at noon [7].", "A rises [1] at noon.", 0],
    ["citations of nothing", "[1]. [2][3]!", "", 2],
    ["an end without a full stop", "A rises [1]. B falls [2]", "A rises [1]. B falls [2]", 0],
    [
      "no spaces",
      "潮汐由月球引起[1]。今天很冷。太阳也有影响。[2]",
      "潮汐由月球引起[1]。 太阳也有影响 [2]。",
      1,
    ],
    [
      "words with dots",
      "Dr. Moon and J. Tide et al. say 3.5 m, e.g. here [1].",
      "Dr. Moon and J. Tide et al. say 3.5 m, e.g. here [1].",
      0,
    ],
    ["line ends", "A\nrises\n[1].\n\nB falls [2].", "A rises [1]. B falls [2].", 0],
    ["nothing", "", "", 0],
  ])("reads %s", (_, text, expected, dropped) => {
    expect(keepCitedSentences(text, 3, 2_000)).toEqual({ text: expected, dropped });
  });

  it("keeps complete sentences up to the maximum length", () => {
    expect(keepCitedSentences("A rises [1]. B falls a lot [2]. C [3].", 3, 19)).toEqual({
      text: "A rises [1]. C [3].",
      dropped: 1,
    });
  });

  it("keeps a very long sentence", () => {
    const long = `${"The tide rises, and ".repeat(40)}falls [1].`;
    expect(keepCitedSentences(`${long} It is so.`, 1, 2_000)).toEqual({ text: long, dropped: 1 });
  });

  it("returns only sentences with valid citations, within the maximum length, for any text", () => {
    const fragment = fc.oneof(
      fc.constantFrom(
        "[1]",
        "[2]",
        "[3]",
        "[0]",
        "[9]",
        "[1,",
        "2]",
        ".",
        ". ",
        "! ",
        "。",
        " ",
        "Tides",
        "a",
        "🌊",
        "\n",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 60 }), (fragments) => {
        const { text } = keepCitedSentences(fragments.join(""), 3, 60);
        expect(Array.from(text).length).toBeLessThanOrEqual(60);
        expect([...text.matchAll(/\[(\d+)\]/g)].map(([, digits]) => digits)).toSatisfy((all: string[]) =>
          all.every((digits) => ["1", "2", "3"].includes(digits)),
        );
        if (text !== "") expect(text).toMatch(/\[[123]\]/);
      }),
      { numRuns: 1_000 },
    );
  });
});
