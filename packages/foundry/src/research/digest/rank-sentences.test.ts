import { describe, expect, it } from "vitest";
import { canonicalize } from "./canonical-text.ts";
import { digestText } from "./digest-text.ts";
import { rankSentences } from "./rank-sentences.ts";
import { findSections } from "./sections.ts";
import { findSentences } from "./sentences.ts";

const hash = `sha256:${"0".repeat(64)}`;

describe("headings", () => {
  it("rank the sentences below them, and are kept where there is nothing else", () => {
    const source = canonicalize("# Tides\n\nThe sea rises here.\n\n# Bread\n\nThe dough rises here.\n");
    const sentences = findSentences(source);
    const { scores } = rankSentences(
      source.text,
      sentences,
      findSections(source, sentences),
      "why do tides rise",
    );
    expect(scores[0]).toBe(0);
    expect(scores[1]).toBeGreaterThan(scores[3] as number);
    const bare = canonicalize("# Tides\n## Moon\n");
    const only = findSentences(bare);
    expect([...rankSentences(bare.text, only, findSections(bare, only), "").scores]).not.toEqual([0, 0]);
  });

  it("keeps headings out of the quotes of a digest", () => {
    const lines = Array.from({ length: 12 }, (_, at) => `The tide of coast ${at} turns with the moon.`);
    const source = canonicalize(`# Tides\n\n## Why tides\n\n${lines.join("\n\n")}\n`);
    for (const query of ["why tides", ""]) {
      const { digest } = digestText(source, hash, { query });
      expect(digest?.evidence_snippets.filter(({ text }) => text.startsWith("#"))).toEqual([]);
      expect(digest?.summary).not.toContain("#");
      expect(digest?.evidence_snippets.length).toBeGreaterThan(0);
    }
  });
});
