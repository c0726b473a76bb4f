import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SourceRecord } from "./source-record.ts";
import { findDuplicates } from "./source-record.ts";
import { collectFindings, type ReportInput, writeReport } from "./write-report.ts";

const hashOf = (text: string) => `sha256:${Buffer.from(text).toString("hex").padEnd(64, "0").slice(0, 64)}`;
const short = (number: number, text: string, isMatch = true): SourceRecord => ({
  source_id: `source-${number}`,
  outcome: "short",
  title: `Title ${number}`,
  source_text_hash: hashOf(text),
  chars: text.length,
  is_match: isMatch,
  is_kept: number !== 2,
  digest: null,
  query_counts: { sentences: 1, counts: isMatch ? [1, 1] : [0, 0] },
  quotes: [{ text, locator: `char:0-${text.length}`, relevance_score: 0.5 }],
});
const failed = (number: number): SourceRecord => ({
  source_id: `source-${number}`,
  outcome: "failed",
  reason: "empty",
  error: "It is empty",
  remediation: "Fill it.",
});

const byId = (records: readonly SourceRecord[]) =>
  new Map(records.map((record) => [record.source_id, record]));
const material = (records: readonly SourceRecord[], count = records.length): ReportInput => ({
  researchId: "research-20261116-3f9a2c",
  question: "When is the tide highest?",
  list: {
    sources: Array.from({ length: count }, (_, at) => ({
      source_id: `source-${at + 1}`,
      source: { path: `${at + 1}.txt` },
    })),
    left_out: [{ name: "x.png", reason: "not_a_document", error: "It is a picture" }],
    left_out_count: 7,
  },
  records: byId(records),
});
const write = (some: ReportInput, ...rest: [Parameters<typeof writeReport>[2]?]) =>
  writeReport(some, collectFindings(some), ...rest);

describe("writeReport", () => {
  it("reports the outcome of every source", () => {
    const tide = "The tide is highest at noon.";
    expect(
      write(
        material(
          [
            short(1, tide),
            short(2, tide),
            failed(3),
            short(4, "Bread is made of flour.", false),
            short(5, "Highest of all is the moon."),
          ],
          6,
        ),
      ),
    ).toEqual({
      research_id: "research-20261116-3f9a2c",
      question: "When is the tide highest?",
      query_hash: expect.stringMatching(/^[0-9a-f]{8}$/),
      summary: `${tide} [1]`,
      confidence: "strong",
      summary_by: "extraction",
      themes: [
        { title: "Title 1", findings: ["finding-1"] },
        { title: "Title 5", findings: ["finding-2"] },
      ],
      disagreements: [],
      not_found: [],
      findings: [tide, "Highest of all is the moon."].map((claim, at) => ({
        id: `finding-${at + 1}`,
        claim,
        relevance_score: expect.any(Number),
        citations: [
          {
            source_id: at === 0 ? "source-1" : "source-5",
            text: claim,
            locator: `char:0-${claim.length}`,
            source_text_hash: hashOf(claim),
            relevance_score: expect.any(Number),
          },
        ],
      })),
      sources: [
        {
          source_id: "source-1",
          name: "1.txt",
          title: "Title 1",
          outcome: "short",
          quality: { level: "high", coverage: 0.8 },
          chars: 28,
          source_text_hash: hashOf(tide),
        },
        {
          source_id: "source-2",
          name: "2.txt",
          title: "Title 2",
          outcome: "duplicate",
          duplicate_of: "source-1",
          chars: 28,
          source_text_hash: hashOf(tide),
          is_kept: false,
        },
        {
          source_id: "source-3",
          name: "3.txt",
          outcome: "failed",
          reason: "empty",
          error: "It is empty",
          remediation: "Fill it.",
        },
        {
          source_id: "source-4",
          name: "4.txt",
          title: "Title 4",
          outcome: "short",
          quality: { level: "none", coverage: 0 },
          chars: 23,
          source_text_hash: hashOf("Bread is made of flour."),
        },
        {
          source_id: "source-5",
          name: "5.txt",
          title: "Title 5",
          outcome: "short",
          quality: { level: "high", coverage: 0.6 },
          chars: 27,
          source_text_hash: hashOf("Highest of all is the moon."),
        },
        {
          source_id: "source-6",
          name: "6.txt",
          outcome: "failed",
          reason: "not_read",
          error: "It was not read",
        },
      ],
      left_out: [{ name: "x.png", reason: "not_a_document", error: "It is a picture" }],
      counts: {
        sources: 6,
        digested: 0,
        short: 3,
        failed: 2,
        duplicate: 1,
        matched: 2,
        left_out: 7,
        findings: 2,
        findings_left_out: 0,
      },
    });
  });

  it("uses the summary of the model, or reports why not", () => {
    const some = material([short(1, "The tide is highest at noon.")]);
    const { summary, summary_by, fallback } = write(some, { summary: "Noon [1]." });
    expect([summary, summary_by, fallback]).toEqual(["Noon [1].", "model", undefined]);
    const other = write(some, { failure: "It is away" });
    expect([other.summary, other.summary_by, other.fallback]).toEqual([
      "The tide is highest at noon. [1]",
      "extraction",
      { from: "model", reason: "It is away" },
    ]);
  });

  it("is independent of the order of the records", () => {
    const text = fc.constantFrom(
      "The tide is highest at noon.",
      "Highest of all is the moon.",
      "Bread.",
      "When is it?",
    );
    const record = (number: number) =>
      fc.oneof(
        text.map((each) => short(number, each)),
        fc.constant(failed(number)),
      );
    const records = fc.tuple(...[1, 2, 3, 4, 5, 6].map(record));
    fc.assert(
      fc.property(records, fc.array(fc.nat({ max: 5 }), { maxLength: 12 }), (all, swaps) => {
        const mixed = [...all];
        for (const at of swaps) mixed.push(...mixed.splice(at, 1));
        expect(write(material(mixed, 6))).toEqual(write(material(all, 6)));
      }),
    );
  });
});

describe("findDuplicates", () => {
  it("uses the order of the list, not of the records, and ignores failed sources", () => {
    const { sources } = material([], 5).list;
    const records = [short(4, "a"), short(3, "b"), failed(5), short(2, "a"), short(1, "a")];
    expect([...findDuplicates(sources, byId(records))]).toEqual([
      ["source-2", "source-1"],
      ["source-4", "source-1"],
    ]);
  });
});
