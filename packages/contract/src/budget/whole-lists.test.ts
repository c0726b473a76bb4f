import { describe, expect, it } from "vitest";
import { successResponse } from "../builders/responses.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { fitToBudget } from "./fit-to-budget.ts";

const archive = { id: "archive-1", hash: `sha256:${"0".repeat(64)}` };
const quote = (index: number) => `Quote ${index}: ${"the tide comes in twice a day. ".repeat(6)}`;
const quotes = Array.from({ length: 12 }, (_, index) => ({
  id: `quote-${index}`,
  text: quote(index),
  citations: [
    { source: "a", text: quote(index) },
    { source: "b", text: quote(index + 100) },
  ],
}));
const data = { summary: "s".repeat(900), quotes, sources: quotes.map(({ id }) => ({ source: id })) };

const fit = (maxTokens: number, wholeLists?: readonly string[]) => {
  const { envelope, dropped } = fitToBudget(successResponse(data), { maxTokens, archive, wholeLists });
  expect(estimateTokens(JSON.stringify(envelope))).toBeLessThanOrEqual(maxTokens);
  return { kept: (envelope.data as unknown as typeof data).quotes ?? [], dropped, envelope };
};

describe("a whole list", () => {
  it.each([900, 1_200, 1_800])("keeps its items whole or drops them, within %i tokens", (maxTokens) => {
    const { kept, dropped } = fit(maxTokens, ["quotes"]);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept).toEqual(quotes.slice(0, kept.length));
    expect(dropped?.parts).toContainEqual({
      pointer: "/quotes",
      kind: "items",
      kept: kept.length,
      total: quotes.length,
    });
  });

  it("has items that other lists would lose parts of", () => {
    const { kept } = fit(900);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept).not.toEqual(quotes.slice(0, kept.length));
  });

  it("loses parts of its first item only if not even that item fits, and the response says so", () => {
    const { kept, dropped, envelope } = fit(700, ["quotes"]);
    expect(kept).toHaveLength(1);
    expect(kept[0]).not.toEqual(quotes[0]);
    expect(dropped?.parts.some(({ pointer }) => pointer.startsWith("/quotes/0/"))).toBe(true);
    expect(envelope.meta.warning_details?.map(({ code }) => code)).toEqual(["CONTENT_TRUNCATED"]);
  });
});
