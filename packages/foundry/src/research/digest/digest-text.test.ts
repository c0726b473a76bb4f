import { createHash } from "node:crypto";
import {
  type DigestPayload,
  parseLocator,
  queryHash,
  serializePayload,
  sourceTextHash,
  validatePayload,
  verifySnippet,
} from "@foundry-mcp/contract/digest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CanonicalText, canonicalize, joinPages } from "./canonical-text.ts";
import { type DigestOptions, digestText, type TextDigest } from "./digest-text.ts";
import { toTermSet } from "./terms.ts";
import { anyCanonical, anyText } from "./testing/any-text.ts";

const digestOf = (source: string, options?: DigestOptions): TextDigest =>
  digestCanonical(canonicalize(source), options);

function digestCanonical(canonical: CanonicalText, options?: DigestOptions): TextDigest {
  const hash = `sha256:${createHash("sha256").update(canonical.text).digest("hex")}`;
  return digestText(canonical, hash, options);
}

/** Checks the invariants of a digest. */
function check(
  { text, pages }: CanonicalText,
  { digest: written, answerability }: TextDigest,
  query: string,
): void {
  const digest = written as DigestPayload;
  const points = Array.from(text);
  expect(validatePayload(digest)).toEqual(digest);
  expect(digest.query_hash).toBe(queryHash(query));
  expect(digest.source_text_hash).toBe(sourceTextHash(text));
  expect(digest.original_chars).toBe(points.length);
  const texts = [digest.summary, ...digest.key_points, ...digest.evidence_snippets.map((each) => each.text)];
  expect(digest.digest_chars).toBe(texts.reduce((sum, each) => sum + Array.from(each).length, 0));
  expect(digest.digest_chars).toBeLessThan(digest.original_chars);
  expect(digest.compression_ratio).toBe(digest.digest_chars / digest.original_chars);
  // A digest that does not answer its query has no summary.
  const isAnswer = answerability?.confidence !== "none";
  expect([toTermSet(digest.summary).size > 0, digest.key_points.length > 0]).toEqual([isAnswer, isAnswer]);
  for (const point of digest.key_points) expect(text).toContain(point);
  for (const snippet of digest.evidence_snippets) {
    const { start, end, page } = parseLocator(snippet.locator);
    expect(verifySnippet(text, snippet)).toBe(true);
    expect(points.slice(start, end).join("")).toBe(snippet.text);
    expect(snippet.text).not.toBe("");
    if (pages === undefined) expect(page).toBeUndefined();
    else {
      const unit = points.slice(0, start).join("").length;
      expect(unit).toBeGreaterThanOrEqual(pages[(page as number) - 1] as number);
      expect(unit + snippet.text.length).toBeLessThan(pages[page as number] ?? Number.POSITIVE_INFINITY);
    }
  }
}

const article = [
  "# Tides",
  "Tides are the rise and fall of the sea. They follow the moon, and the sun a little.",
  "Spring tides come at new and full moon. Neap tides come between them, when sun and moon pull across each other.",
  "A harbour needs a table of tides. Ships with a deep draught wait outside until the water is high enough.",
  "Climate change raises the sea by 3.7 mm each year. Harbours are built higher for that reason alone.",
  "Fishermen knew all this before there were tables. They looked at the moon, and went out with the ebb.",
].join("\n\n");

describe("digestText()", () => {
  it("digests a text for a query", () => {
    const { digest, isMatch, chars, passages } = digestOf(article, { query: "climate change", snippets: 2 });
    expect({ isMatch, chars, passages }).toEqual({ isMatch: true, chars: 510, passages: undefined });
    expect(digest).toEqual({
      version: "1.0",
      content_type: "digest/v1",
      query_hash: "f28d567c",
      summary: "Climate change raises the sea by 3.7 mm each year.",
      key_points: [
        "Ships with a deep draught wait outside until the water is high enough.",
        "Climate change raises the sea by 3.7 mm each year.",
      ],
      evidence_snippets: [
        {
          text: "Climate change raises the sea by 3.7 mm each year. Harbours are built higher for that reason alone.",
          locator: "char:309-408",
          relevance_score: expect.closeTo(0.4, 1),
        },
        {
          text: "Ships with a deep draught wait outside until the water is high enough.",
          locator: "char:238-308",
          relevance_score: expect.closeTo(0.06, 1),
        },
      ],
      original_chars: 510,
      digest_chars: 339,
      compression_ratio: 339 / 510,
      source_text_hash: sourceTextHash(canonicalize(article).text),
    });
  });

  it("digests a text without a query, and equally with a blank one, but for the query hash", () => {
    const { digest, isMatch } = digestOf(article);
    check(canonicalize(article), digestOf(article), "");
    expect(isMatch).toBe(true);
    expect(digestOf(article, { query: " \n" })).toEqual({
      ...digestOf(article),
      digest: { ...digest, query_hash: queryHash(" \n") },
    });
  });

  it.each(["zebra quixotic", "?!…", "😡", "茶", "z".repeat(50_000)])(
    "reports that no term of a query occurs, and digests by centrality",
    (query) => {
      const digested = digestOf(article, { query });
      const { digest, isMatch, answerability } = digested;
      expect([isMatch, answerability?.confidence]).toEqual([false, "none"]);
      check(canonicalize(article), digested, query);
      expect([digest?.summary, digest?.key_points]).toEqual(["", []]);
      expect(digest?.evidence_snippets.map((each) => each.relevance_score)).toEqual(
        digest?.evidence_snippets.map(() => 0),
      );
    },
  );

  it("counts in how many sentences each query term occurs", () => {
    expect(digestOf(article, { query: "moon harbour zebra" }).queryCounts).toEqual({
      sentences: 11,
      counts: [4, 2, 0],
      named: [4, 2, 0],
      headings: [0, 0, 0],
    });
    expect(digestOf("茶很好。茶很香吗。水。", { query: "茶 水" }).queryCounts).toEqual({
      sentences: 2,
      counts: [1, 1],
      named: [1, 1],
      headings: [0, 0],
    });
    expect(digestOf(article, { query: "?!" }).queryCounts).toEqual({
      sentences: 11,
      counts: [],
      named: [],
      headings: [],
    });
    expect(digestOf(article)).not.toHaveProperty("queryCounts");
  });

  it("locates a quote by its page", () => {
    const canonical = joinPages(["", "Nothing to see on this page.", "", `😀\n\n${article}`, ""]);
    const digested = digestCanonical(canonical, { query: "climate change", snippets: 1 });
    expect(digested.digest?.evidence_snippets.map((each) => each.locator)).toEqual(["page:4:char:341-440"]);
    expect(digested.sections).toEqual([{ path: ["Tides"], page: 4 }]);
    check(canonical, digested, "climate change");
  });

  it("returns the requested number of quotes, and at most 10", () => {
    const long = Array.from(
      { length: 40 },
      (_, at) => `Word${at} tide ${"abcdefghij"[at % 10]}${at} stands alone here.`,
    );
    const count = (snippets: number) =>
      digestOf(long.join("\n\n"), { query: "tide", snippets }).digest?.evidence_snippets.length;
    expect([0, 1, 5, 10, 11, 1_000, -1].map(count)).toEqual([0, 1, 5, 10, 10, 10, 0]);
  });

  it("selects passages for a model on request", () => {
    const { passages } = digestOf(article, { query: "climate change", passageChars: 110 });
    expect(passages).toBe(
      "Climate change raises the sea by 3.7 mm each year. Harbours are built higher for that reason alone.",
    );
    expect(digestOf("Too short.", { passageChars: 100 }).passages).toBe("Too short.");
  });

  it.each([
    ["nothing", ""],
    ["one word", "word"],
    ["one sentence", "The tide rises twice a day in most harbours of the world."],
    ["two sentences", "The tide rises twice a day. It falls as often as that."],
    ["only punctuation", "... !!! ??? --- ".repeat(1_000)],
    ["only marks", "\u0301\u0301 \u0301".repeat(1_000)],
    ["a rule", "-".repeat(10_000)],
  ])("has no digest for %s", (_, source) => {
    expect(digestOf(source).digest).toBeNull();
    expect(digestOf(source, { query: "tide" }).digest).toBeNull();
  });

  it("digests sentences that share no term", () => {
    const apart = [
      "Glaciers carve valleys.",
      "Bakers knead dough.",
      "Sailors read charts.",
      "Owls hunt mice.",
    ];
    expect(digestOf(apart.join(" ")).digest?.summary).toBe("Glaciers carve valleys.");
  });

  it("never drops the best sentence", () => {
    const answer = `The tide ${"rises over the moles and the quays of the old harbour ".repeat(5).trim()}.`;
    const source = `${answer} Nobody lives there. Nobody wants to.`;
    expect(digestOf(source, { query: "tide harbour" }).digest).toBeNull();
    const longer = `${source} ${"Another town is built of stone and glass alone. ".repeat(15)}`;
    expect(digestOf(longer, { query: "tide harbour" }).digest?.key_points).toContain(answer);
  });

  it("quotes no sentence without words, whatever its neighbours", () => {
    const source = `${"The tide is high. ".repeat(3)}${"\ufffd".repeat(600)}`;
    for (const query of ["", "tide"]) {
      const { digest } = digestOf(source, { query });
      expect(digest?.key_points).toEqual(["The tide is high."]);
    }
  });

  it.each([
    ["100,000 sentences that are the same", "The tide rises twice a day. ".repeat(100_000)],
    ["a line of five million characters", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3ODk+".repeat(111_112)],
    ["five million characters of Chinese", "冰川移动潮汐".repeat(833_334)],
    ["a million emoji", "😀😁🇩🇪👩‍👩‍👧".repeat(100_000)],
    ["words of one letter", "a b c d e ".repeat(200_000)],
    ["70,000 blocks", "The tide is high.\n\nThe moon is full.\n\n".repeat(35_000)],
  ])("accepts %s", (_, source) => {
    const canonical = canonicalize(source);
    for (const query of ["", "tide 冰川 😀 a"]) {
      const { digest, isMatch, answerability } = digestCanonical(canonical, { query });
      expect(digest).not.toBeNull();
      expect(validatePayload(digest)).toEqual(digest);
      for (const snippet of digest?.evidence_snippets ?? [])
        expect(verifySnippet(canonical.text, snippet)).toBe(true);
      expect((digest?.key_points.length ?? 0) > 0).toBe(answerability?.confidence !== "none");
      expect(query === "" || isMatch || /^(?:QUJD|a b)/.test(source)).toBe(true);
    }
  });

  it("returns a valid digest for any text and query", () => {
    let digested = 0;
    fc.assert(
      fc.property(
        anyCanonical,
        fc.oneof(fc.constant(undefined), anyText),
        fc.integer({ min: 0, max: 12 }),
        (canonical, query, snippets) => {
          const options = { query, snippets, passageChars: 300 };
          const result = digestCanonical(canonical, options);
          expect(result.chars).toBe(Array.from(canonical.text).length);
          expect(JSON.stringify(digestCanonical(canonical, options))).toBe(JSON.stringify(result));
          if (result.digest === null) return;
          digested++;
          check(canonical, result, query ?? "");
          expect(result.digest.evidence_snippets.length).toBeLessThanOrEqual(Math.min(10, snippets));
        },
      ),
      { numRuns: 400 },
    );
    expect(digested).toBeGreaterThan(100);
  });

  it("is deterministic, and independent of other calls", () => {
    const first = serializePayload(digestOf(article, { query: "moon" }).digest as DigestPayload);
    digestOf("Etwas ganz anderes steht hier. ".repeat(50), { query: "anderes" });
    expect(serializePayload(digestOf(article, { query: "moon" }).digest as DigestPayload)).toBe(first);
  });
});
