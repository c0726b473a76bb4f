import { parseLocator, sourceTextHash } from "@foundry-mcp/contract/digest";
import { describe, expect, it } from "vitest";
import { canonicalize } from "#built/foundry/research/digest/canonical-text.js";
import { digestText } from "#built/foundry/research/digest/digest-text.js";
import { findSentences } from "#built/foundry/research/digest/sentences.js";
import { extractFindings } from "#built/foundry/research/runs/extract-findings.js";
import { documentOf, documents, languages, type Pair, pairs } from "./ranking-set.ts";

// The README of the labelled set defines the evaluation. An answer is found if one of the first five passages covers
// half of its code points. A passage of more than 500 code points does not count.
const passagesLookedAt = 5;
const mostPoints = 500;

/** A span of a canonical text, in code points. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

const sizeOf = (text: string) => Array.from(text).length;

function stretchOf(text: string, part: string): Stretch {
  const unit = text.indexOf(part);
  if (unit === -1) throw new Error(`The document does not say "${part}"`);
  const start = sizeOf(text.slice(0, unit));
  return { start, end: start + sizeOf(part) };
}

/** Returns the evidence of the digest for a query. */
function evidenceOf(source: string, query: string): readonly Stretch[] {
  const canonical = canonicalize(source);
  const { digest } = digestText(canonical, sourceTextHash(canonical.text), {
    query,
    snippets: passagesLookedAt,
  });
  return (digest?.evidence_snippets ?? []).map(({ locator }) => parseLocator(locator));
}

/** Returns the first findings over all documents of the set that are from the document of the query. */
function findingsOf(source: string, query: string): readonly Stretch[] {
  const sources = [...documents].map(([source_id, text]) => {
    const canonical = canonicalize(text);
    const source_text_hash = sourceTextHash(canonical.text);
    const { digest, isMatch, queryCounts } = digestText(canonical, source_text_hash, { query });
    const evidence = isMatch ? (digest?.evidence_snippets ?? []) : [];
    return {
      source_id,
      name: source_id,
      source_text_hash,
      evidence,
      counts: queryCounts ?? { sentences: 0, counts: [] },
    };
  });
  const own = sourceTextHash(canonicalize(source).text);
  return extractFindings(query, sources)
    .findings.slice(0, passagesLookedAt)
    .flatMap(({ citations }) => citations.filter(({ source_text_hash }) => source_text_hash === own))
    .map(({ locator }) => parseLocator(locator));
}

/** Returns the baseline, which is the beginning of the document. */
function beginningOf(source: string): readonly Stretch[] {
  const canonical = canonicalize(source);
  const { starts, ends } = findSentences(canonical);
  return Array.from(starts.subarray(0, passagesLookedAt), (start, at) => ({
    start: sizeOf(canonical.text.slice(0, start)),
    end: sizeOf(canonical.text.slice(0, ends[at])),
  }));
}

function isFound({ start, end }: Stretch, passages: readonly Stretch[]): boolean {
  return passages.some((passage) => {
    const shared = Math.min(end, passage.end) - Math.max(start, passage.start);
    return passage.end - passage.start <= mostPoints && shared * 2 >= end - start;
  });
}

/** Returns the recall, which is the share of answers that are among the passages. */
function recallOf(
  chosen: readonly Pair[],
  passagesOf: (source: string, query: string) => readonly Stretch[],
): number {
  const found = chosen.flatMap((pair) => {
    const source = documentOf(pair);
    const { text } = canonicalize(source);
    const passages = passagesOf(source, pair.query);
    return pair.answers.map((answer) => isFound(stretchOf(text, answer), passages));
  });
  return found.filter(Boolean).length / found.length;
}

const rows = [...languages, "all"].flatMap((language) =>
  (["easy", "hard"] as const).map((difficulty) => {
    const chosen = pairs.filter(
      (pair) => (language === "all" || pair.language === language) && pair.difficulty === difficulty,
    );
    return {
      language,
      difficulty,
      pairs: chosen.length,
      recall: recallOf(chosen, evidenceOf),
      findings: recallOf(chosen, findingsOf),
      baseline: recallOf(chosen, beginningOf),
    };
  }),
);

describe("the evidence of a digest, measured on the labelled set", () => {
  it("is measured on every pair", () => {
    const table = rows.map(
      ({ language, difficulty, pairs, ...shares }) =>
        `  ${language.padEnd(3)}  ${difficulty}  ${String(pairs).padStart(5)}   ${shares.recall.toFixed(3)}     ${shares.findings.toFixed(3)}            ${shares.baseline.toFixed(3)}`,
    );
    process.stdout.write(
      `\n  Recall at 5\n       kind  pairs  digest  research of all  first sentences\n${table.join("\n")}\n`,
    );
    expect(rows.filter(({ language }) => language === "all").map(({ pairs }) => pairs)).toEqual([78, 46]);
    expect(rows).toHaveLength(10);
  });

  it("has a recall of at least 0.85 for easy queries, in one document and over all documents", () => {
    const [easy] = rows.filter(({ language, difficulty }) => language === "all" && difficulty === "easy");
    expect(easy?.recall).toBeGreaterThanOrEqual(0.85);
    expect(easy?.findings).toBeGreaterThanOrEqual(0.85);
  });

  it.each(["easy", "hard"])("has at least twice the recall of the baseline for %s queries", (kind) => {
    const [row] = rows.filter(({ language, difficulty }) => language === "all" && difficulty === kind);
    expect(row?.recall).toBeGreaterThanOrEqual(2 * (row?.baseline ?? Number.NaN));
    expect(row?.baseline).toBeGreaterThan(0);
  });
});
