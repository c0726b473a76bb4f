import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize } from "../digest/canonical-text.ts";
import { countSentences, findPostings } from "../digest/query-postings.ts";
import { toQueryTerms } from "../digest/query-terms.ts";
import { findSentences } from "../digest/sentences.ts";
import { extractFindings, maxFindings, type QuotedSource } from "./extract-findings.ts";

type Source = Omit<QuotedSource, "counts">;
const source = (number: number, ...texts: readonly string[]): Source => ({
  source_id: `source-${number}`,
  name: `${number}.txt`,
  source_text_hash: `sha256:${String(number).padStart(64, "0")}`,
  evidence: texts.map((text, at) => ({ text, locator: `char:${at}-${at + 1}`, relevance_score: 0.5 })),
});
const question = "When is the tide at Dover highest?";

/** Extracts findings from sources that consist of their quotes. */
const find = (asked: string, sources: readonly Source[]) =>
  extractFindings(
    asked,
    sources.map((each) => {
      const text = canonicalize(each.evidence.map((quote) => quote.text).join("\n\n"));
      return {
        ...each,
        counts: countSentences(findPostings(text.text, findSentences(text), toQueryTerms(asked))),
      };
    }),
  );

describe("extractFindings", () => {
  it("ranks the quotes of all sources together, and cites them exactly", () => {
    const { findings, left_out } = find(question, [
      source(1, "The tide at Dover moves much water.", "Nothing whatsoever."),
      source(2, "At Dover the tide is highest after full moon."),
    ]);
    expect(left_out).toBe(0);
    expect(findings).toEqual([
      {
        id: "finding-1",
        claim: "At Dover the tide is highest after full moon.",
        relevance_score: expect.closeTo(0.5, 0),
        citations: [
          {
            source_id: "source-2",
            source_text_hash: source(2).source_text_hash,
            text: "At Dover the tide is highest after full moon.",
            locator: "char:0-1",
            relevance_score: findings[0]?.relevance_score,
          },
        ],
      },
      {
        id: "finding-2",
        claim: "The tide at Dover moves much water.",
        relevance_score: expect.any(Number),
        citations: [
          {
            source_id: "source-1",
            source_text_hash: source(1).source_text_hash,
            text: "The tide at Dover moves much water.",
            locator: "char:0-1",
            relevance_score: findings[1]?.relevance_score,
          },
        ],
      },
    ]);
    expect(findings[0]?.relevance_score).toBeGreaterThan(findings[1]?.relevance_score ?? 1);
  });

  it("weighs terms over all sources: a term of every source counts little", () => {
    const common = Array.from({ length: 8 }, (_, at) =>
      source(at + 1, `The tide here is number ${at}, says the harbour master.`),
    );
    const { findings } = find("tide Dover", [...common, source(9, "Dover has a harbour.")]);
    expect(findings[0]?.claim).toBe("Dover has a harbour.");
  });

  it("groups near-duplicates to one finding, with one citation per source, in order", () => {
    const said = "At Dover the tide is highest two days after the full moon of every spring, in all years.";
    const { findings } = find(question, [
      source(1, said, `${said.toUpperCase()}`),
      source(2, "Bread needs flour."),
      source(3, `«${said.replace("tide", "tides")}»`),
      source(4, said.replace("Dover", "DOVER")),
    ]);
    expect(findings.map(({ citations }) => citations.map(({ source_id }) => source_id))).toEqual([
      ["source-1", "source-3", "source-4"],
    ]);
    expect(findings[0]?.claim).toBe(said);
  });

  it("never groups quotes that differ in the name of one sentence", () => {
    const others = Array.from(
      { length: 4 },
      (_, at) =>
        `Page ${at} tells at great length of several other matters that concern nobody along this whole coast, even in winter.`,
    );
    const said = (place: string) => [`The tide at ${place} is highest at noon.`, ...others].join(" ");
    const { findings } = find(question, [
      source(1, said("Dover")),
      source(2, said("Brest")),
      source(3, said("Dover")),
    ]);
    expect(findings.map(({ citations }) => citations.map(({ source_id }) => source_id))).toEqual([
      ["source-1", "source-3"],
      ["source-2"],
    ]);
  });

  it("never groups quotes with different numbers", () => {
    const said = (year: number) =>
      `At Dover the tide was highest of all in the spring of the year ${year}, two days after the full moon, and nobody has ever seen such a flood since.`;
    const { findings, left_out } = find(question, [
      source(1, said(1811)),
      source(2, said(1812)),
      source(3, said(1811)),
    ]);
    expect(
      findings.map(({ claim, citations }) => [claim, citations.map(({ source_id }) => source_id)]),
    ).toEqual([
      [said(1811), ["source-1", "source-3"]],
      [said(1812), ["source-2"]],
    ]);
    expect(left_out).toBe(0);
  });

  it("counts the findings that it drops", () => {
    const words = (at: number) => Array.from({ length: 8 }, (_, place) => `w${at * 8 + place}x`).join(" ");
    const { findings, left_out } = find(
      "tide",
      Array.from({ length: 130 }, (_, at) => source(at + 1, `The tide ${words(at)}.`)),
    );
    expect([findings.length, left_out]).toEqual([maxFindings, 115]);
  });

  it("drops quotes that share only common words with the question", () => {
    const noise = Array.from({ length: 40 }, (_, at) => source(at + 1, `The n${at}x is of the m${at}y.`));
    const { findings, left_out } = find(question, [
      ...noise,
      source(41, "At Dover tides are highest in March."),
    ]);
    expect([findings.map(({ claim }) => claim), left_out]).toEqual([
      ["At Dover tides are highest in March."],
      0,
    ]);
  });

  it("returns no findings without a quote, or without a term of the question", () => {
    const none = { findings: [], left_out: 0, confidence: "none", not_found: [] };
    const asked = ["tide", "dover", "highest"];
    expect(find(question, [])).toEqual({ ...none, not_found: asked });
    expect(find(question, [source(1), source(2, "Bread.", "")])).toEqual({ ...none, not_found: asked });
    expect(find("", [source(1, "Bread.")])).toEqual(none);
    expect(find("?!", [source(1, "Bread?!")])).toEqual(none);
  });

  it("handles the maximum number of sources and quotes", () => {
    const sources = Array.from({ length: 1_000 }, (_, at) =>
      source(
        at + 1,
        ...Array.from(
          { length: 10 },
          (__, place) =>
            `The tide of harbour ${at % 97} rises ${place} feet above the mark that was cut in stone ${(at * 10 + place) % 1_013} years ago.`,
        ),
      ),
    );
    const { findings } = find(question, sources);
    expect(findings).toHaveLength(maxFindings);
  });

  const words = fc.array(
    fc.constantFrom("the", "tide", "is", "high", "at", "Dover", "1811", "1812", "潮水", "прилив", "bread"),
    { minLength: 1, maxLength: 14 },
  );
  const sources = fc
    .array(
      fc.array(
        words.map((some) => some.join(" ")),
        { maxLength: 4 },
      ),
      { maxLength: 12 },
    )
    .map((all) => all.map((texts, at) => source(at + 1, ...texts)));

  it("cites each quote at most once, exactly, and each source at most once in a finding", () => {
    fc.assert(
      fc.property(sources, words, (all, asked) => {
        const { findings, left_out, ...rest } = find(asked.join(" "), all);
        const keyOf = (id: string, text: string, locator: string) => JSON.stringify([id, text, locator]);
        const given = new Set(
          all.flatMap(({ source_id, evidence }) =>
            evidence.map(({ text, locator }) => keyOf(source_id, text, locator)),
          ),
        );
        const cited = findings.flatMap(({ citations }) =>
          citations.map(({ source_id, text, locator }) => keyOf(source_id, text, locator)),
        );
        expect(cited.every((key) => given.has(key))).toBe(true);
        expect(new Set(cited).size).toBe(cited.length);
        for (const [at, { id, claim, relevance_score, citations }] of findings.entries()) {
          expect([id, claim, relevance_score]).toEqual([
            `finding-${at + 1}`,
            citations[0]?.text,
            citations[0]?.relevance_score,
          ]);
          expect(new Set(citations.map(({ source_id }) => source_id)).size).toBe(citations.length);
          expect(new Set(citations.map(({ text }) => (text.match(/\d+/g) ?? []).join(" "))).size).toBe(1);
          for (const { relevance_score: score } of citations) expect(score >= 0 && score <= 1).toBe(true);
        }
        const best = Math.max(0, ...findings.map(({ relevance_score }) => relevance_score));
        for (const { relevance_score } of findings)
          expect(relevance_score).toBeGreaterThanOrEqual(best * 0.1 - 0.0001);
        expect(left_out).toBeGreaterThanOrEqual(0);
        expect(find(asked.join(" "), structuredClone(all))).toEqual({ findings, left_out, ...rest });
      }),
    );
  });
});
