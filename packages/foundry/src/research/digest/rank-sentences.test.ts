import { describe, expect, it } from "vitest";
import { canonicalize } from "./canonical-text.ts";
import { digestText } from "./digest-text.ts";
import { demoteHeadings } from "./rank-sentences.ts";
import { findSentences } from "./sentences.ts";

const hash = `sha256:${"0".repeat(64)}`;

describe("demoteHeadings()", () => {
  it("moves a share of a heading's score to the sentence below it", () => {
    const source = canonicalize("# Tides\n\nThe sea rises.\n\n---\n\nAnd falls again.\n");
    const sentences = findSentences(source);
    const scores = demoteHeadings(source.text, sentences, Float32Array.of(0.5, 0.25, 0.125, 0));
    expect([...scores]).toEqual([0, Math.fround(0.4), 0, 0]);
  });

  it("keeps the scores of headings where there is nothing else", () => {
    const source = canonicalize("# Tides\n## Moon\n");
    const scores = Float32Array.of(0.5, 0.25);
    expect(demoteHeadings(source.text, findSentences(source), scores)).toEqual(scores);
  });

  it("keeps headings out of the quotes of a digest", () => {
    const lines = Array.from({ length: 12 }, (_, at) => `The tide of coast ${at} turns with the moon.`);
    const source = canonicalize(`# Tides\n\n## Why tides\n\n${lines.join("\n\n")}\n`);
    for (const query of ["why tides", ""]) {
      const { digest } = digestText(source, hash, { query });
      expect(digest?.evidence_snippets.filter(({ text }) => text.startsWith("#"))).toEqual([]);
      expect(digest?.summary).not.toContain("#");
      expect(digest?.evidence_snippets.length).toBeGreaterThan(1);
    }
  });
});
