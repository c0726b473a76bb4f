import { verifySnippet } from "@foundry-mcp/contract/digest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize } from "../digest/canonical-text.ts";
import { quoteText, readSource } from "./read-source.ts";
import { ada, createMemoryDeps } from "./testing/memory-deps.ts";

it("readSource throws when aborted, and returns no failed record", async () => {
  const deps = await createMemoryDeps({});
  const stop = new AbortController();
  const find = () => {
    stop.abort(new Error("enough"));
    return Promise.reject(new Error("The connection was closed"));
  };
  const listed = { source_id: "source-1", source: { url: "https://a.test" } };
  const request = { question: "q", sources: [], max_sources: 1, snippets: 5 };
  const work = readSource(listed, request, { ...deps, load: find }, ada, stop.signal);
  await expect(work).rejects.toThrow("enough");
});

describe("quoteText", () => {
  it("quotes matching sentences, best first", () => {
    const text = "Bread needs flour. 🌊 The tide comes twice a day. At Dover the tide is highest at noon.";
    expect(
      quoteText(text, "When is the tide highest at Dover?", 5).map((quote) => [quote.text, quote.locator]),
    ).toEqual([
      ["At Dover the tide is highest at noon.", "char:49-86"],
      ["🌊 The tide comes twice a day.", "char:19-48"],
      // This sentence has no term of the question, but its score increases because of its neighbor.
      ["Bread needs flour.", "char:0-18"],
    ]);
    expect(quoteText(text, "When is the tide highest at Dover?", 1)).toHaveLength(1);
    expect(quoteText("", "tide", 5)).toEqual([]);
    expect(quoteText(text, "xylophone", 5)).toEqual([]);
  });

  it("quotes exactly, for any text", () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.lorem(),
      fc.constantFrom("潮水最高。春天满月", "𝒳 a. 𝒴 b! a a"),
    );
    fc.assert(
      fc.property(anyText, fc.oneof(anyText, fc.constant("a b 潮水 lorem ipsum")), (source, question) => {
        const { text } = canonicalize(source);
        for (const quote of quoteText(text, question, 10)) {
          expect(verifySnippet(text, quote)).toBe(true);
          expect(quote.relevance_score >= 0 && quote.relevance_score <= 1).toBe(true);
        }
      }),
    );
  });
});
