import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize } from "./canonical-text.ts";
import { findSentences, maxSentencePoints } from "./sentences.ts";
import { anyCanonical } from "./testing/any-text.ts";

/** Returns the sentences of a text as strings. */
function split(source: string): readonly string[] {
  const canonical = canonicalize(source);
  const { count, starts, ends } = findSentences(canonical);
  return Array.from({ length: count }, (_, at) => canonical.text.slice(starts[at], ends[at]));
}

describe("findSentences()", () => {
  it.each([
    ["full stops", ["The tide rises.", "The harbour fills!", "Does the moon pull?"]],
    ["decimals and versions", ["It grew by 3.7 percent in version 2.0.1 alone.", "Then it stopped growing."]],
    ["titles", ["Dr. Smith met Mrs. Jones and Prof. Lee at St. Mary.", "They talked about tides."]],
    ["initials", ["J. R. R. Tolkien wrote it in the U.S. Army library.", "Nobody knows why he did."]],
    ["shortened words", ["Fruit, e.g. Apples, i.e. Pomes, etc. And so on.", "Vegetables are others."]],
    [
      "numbers of things",
      ["See Fig. 3 and No. 5 on p. 12 of it.", "The answer is no.", "The rest is known."],
    ],
    ["addresses", ["Go to https://example.com/a.b?c=d!e and read on.", "It is a long page."]],
    ["file names", ["Open notes.txt or main.test.ts at once.", "Both are text files."]],
    ["three dots", ["It went on ... and on and on.", "It never ended...", "Nobody came there."]],
    ["an ellipsis", ["Well… maybe it does not matter.", "It never ended…", "Nobody came there."]],
    [
      "quotes behind stops",
      ['He said "It is over."', "“Never!” she said to him.", "(All of them laughed.)", "And went home."],
    ],
    ["quoted questions", ["“Why is that?” he asked.", "Nobody could tell him."]],
    ["notes", ["The sea rose by a metre.[12][3]", "It fell again later.¹", "So it goes on."]],
    ["many marks", ["What is it?!?!", "Nobody knows!!!", "Silence reigned then."]],
    ["Russian", ["Это 2,5 т. е. много, см. Рис. 3 ниже.", "Хлеб пекут в печи?", "Да, каждый день."]],
    ["Arabic", ["ما هو المد والجزر؟", "المد هو ارتفاع الماء.", "یہ ایک جملہ ہے۔", "دوسرا جملہ یہاں ہے۔"]],
    ["Hindi", ["यह पहला वाक्य है।", "यह दूसरा वाक्य है॥", "तीसरा यहाँ है।"]],
    ["Armenian and Amharic", ["Սա առաջին նախադասությունն է։", "ይህ የመጀመሪያው ዓረፍተ ነገር ነው።", "ሁለተኛው ይህ ነው።"]],
  ])("splits %s", (_, sentences) => {
    expect(split(sentences.join(" "))).toEqual(sentences);
  });

  it.each([
    ["stops", ["冰川在重力作用下移动。", "它有多快呢？", "每年几米到几百米！"]],
    ["two marks", ["这是真的吗？！", "没有人知道答案。"]],
    ["quotes", ["他说：“我们走吧。”", "然后他们离开了那里。", "「もう終わりました。」", "彼はそう言った。"]],
    ["narrow stops", ["ｺｰﾋｰｦﾉﾐﾏｼﾀ｡", "ﾄﾃﾓｵｲｼｶｯﾀ｡"]],
  ])("splits text without spaces: %s", (_, sentences) => {
    expect(split(sentences.join(""))).toEqual(sentences);
  });

  it.each([
    [
      "what is too short for a sentence goes with the next",
      "Yes. No. It depends on the moon. Ok.",
      ["Yes. No. It depends on the moon.", "Ok."],
    ],
    ["in Chinese half as much is enough", "是的。它在移动吗。好。", ["是的。它在移动吗。", "好。"]],
    [
      "headings, items and rows stand alone",
      "# Tides\nThey rise\n- high. and low\n| a | b. C |",
      ["# Tides", "They rise", "- high. and low", "| a | b. C |"],
    ],
    [
      "a paragraph without a stop",
      "first thing here\n\nsecond thing there",
      ["first thing here", "second thing there"],
    ],
    [
      "a list that begins with a number",
      "1. Take the water. 2. Boil it well.",
      ["1. Take the water.", "2. Boil it well."],
    ],
    ["only marks", "... !!! ???", ["... !!! ???"]],
    ["nothing", "  ", []],
  ])("%s", (_, source, sentences) => {
    expect(split(source)).toEqual(sentences);
  });

  it("returns the block of each sentence", () => {
    const { blocks } = findSentences(
      canonicalize("One sentence here. Another one here.\n\nThe last one here."),
    );
    expect([...blocks]).toEqual([0, 0, 1]);
  });

  it("keeps sentences of 500 code points, and splits longer ones", () => {
    expect(split("a".repeat(maxSentencePoints))).toEqual(["a".repeat(maxSentencePoints)]);
    expect(split("😀".repeat(maxSentencePoints))).toEqual(["😀".repeat(maxSentencePoints)]);
    expect(split("a".repeat(maxSentencePoints + 1))).toEqual(["a".repeat(400), "a".repeat(101)]);
    expect(split("😀".repeat(maxSentencePoints + 1))).toEqual(["😀".repeat(200), "😀".repeat(301)]);
  });

  it("splits after a clause, else between words", () => {
    const clause = `${"word ".repeat(60)}end,`;
    const rest = "more ".repeat(60).trim();
    expect(split(`${clause} ${rest}`)).toEqual([clause, rest]);
    expect(split(`${"词".repeat(300)}，${"语".repeat(300)}`)).toEqual([
      `${"词".repeat(300)}，`,
      "语".repeat(300),
    ]);
    expect(split("word ".repeat(120))).toEqual(["word ".repeat(80).trim(), "word ".repeat(40).trim()]);
  });

  it.each(["👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "x\u0323\u0302", "क्षि", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"])(
    "never splits inside %s",
    (character) => {
      const whole = character.normalize("NFC");
      for (const shift of [0, 1, 2, 3]) {
        const parts = split("x".repeat(shift) + whole.repeat(400));
        expect(parts.length).toBeGreaterThan(1);
        expect(parts.join("")).toBe("x".repeat(shift) + whole.repeat(400));
        for (const [at, part] of parts.entries())
          expect(part.slice(at === 0 ? shift : 0).replaceAll(whole, "")).toBe("");
      }
    },
  );

  it("splits a grapheme of a thousand marks, but no surrogate pair", () => {
    const text = `a${"\u{1d165}".repeat(1_500)}`;
    const parts = split(text);
    expect(parts.join("")).toBe(text);
    for (const part of parts) expect(part.isWellFormed()).toBe(true);
  });

  it("covers any text, in order, with sentences of at most 500 whole characters", () => {
    fc.assert(
      fc.property(anyCanonical, (canonical) => {
        const { text, blocks } = canonical;
        const sentences = findSentences(canonical);
        let before = 0;
        for (let at = 0; at < sentences.count; at++) {
          const [start, end] = [sentences.starts[at] as number, sentences.ends[at] as number];
          const sentence = text.slice(start, end);
          expect(text.slice(before, start)).toMatch(/^(?: |\n\n)?$/);
          expect(sentence).toMatch(/^[^ \n](?:.*[^ \n])?$/s);
          expect(sentence.isWellFormed()).toBe(true);
          expect(Array.from(sentence).length).toBeLessThanOrEqual(maxSentencePoints);
          const block = sentences.blocks[at] as number;
          expect(start).toBeGreaterThanOrEqual(blocks[block] as number);
          expect(end).toBeLessThanOrEqual(blocks[block + 1] ?? text.length);
          before = end;
        }
        expect(before).toBe(text.length);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["exclamation marks", `${"!".repeat(300_000)}x`],
    ["dots", `a${".".repeat(300_000)}x`],
    ["quotes", `It is over.${'"'.repeat(300_000)}x`],
    ["notes", `It is over.${"[12]".repeat(75_000)}x`],
    ["open notes", `It is over.${"[12".repeat(100_000)}`],
    ["open brackets", `${"(".repeat(300_000)}. X`],
    ["initials", "A. ".repeat(100_000)],
    ["base64", "QUJD+/09".repeat(40_000)],
    ["families", "👩‍👩‍👧‍👦".repeat(30_000)],
    ["marks without end", `a${"\u0301".repeat(300_000)}`],
    ["rules", `${"-".repeat(1_000)}\n`.repeat(300)],
  ])("splits a line of 300,000 characters in linear time: %s", (_, text) => {
    // A pass for each terminator would exceed the timeout.
    const parts = split(text);
    expect(parts.every((part) => Array.from(part).length <= maxSentencePoints)).toBe(true);
    expect(parts.join("").replaceAll(" ", "").length).toBe(
      canonicalize(text).text.replaceAll(" ", "").length,
    );
  });

  it("splits more than 65,535 sentences", () => {
    const { count, blocks, ends } = findSentences(canonicalize("The tide is high.\n\n".repeat(70_000)));
    expect([count, blocks[69_999], ends[69_999]]).toEqual([70_000, 69_999, 70_000 * 18 - 1]);
  });
});
