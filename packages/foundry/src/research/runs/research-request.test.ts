import { isContractError } from "@foundry-mcp/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ResearchRequest, resolveRequest } from "./research-request.ts";
import { isResearchId, newResearchId } from "./run-folder.ts";

const refusalOf = (request: unknown) => {
  try {
    resolveRequest(request as ResearchRequest);
  } catch (err) {
    if (!isContractError(err)) throw err;
    const { field } = err.options.details as { field: string };
    return [field, err.message, (err.options.remediation ?? "").length > 10];
  }
  return "accepted";
};
const sources = [{ path: "a.txt" }];

describe("resolveRequest", () => {
  it("fills in defaults", () => {
    expect(resolveRequest({ question: "Why?", sources })).toEqual({
      question: "Why?",
      sources,
      max_sources: 200,
      snippets: 5,
      use_model: true,
    });
    const full = {
      question: "Why?",
      sources: [{ search: "folder", path: "docs", limit: 3 }, { text: "" }],
      max_sources: 1_000,
      snippets: 10,
      use_model: false,
    };
    expect(resolveRequest(full)).toEqual(full);
  });

  it.each([
    [{ question: " ", sources }, "question", "it needs a question"],
    [{ question: 7, sources }, "question", "it needs a question"],
    [{ question: "a".repeat(50_001), sources }, "question", "the question has more than 50,000 characters"],
    [{ question: "a", sources: [] }, "sources", "it needs sources"],
    [{ question: "a", sources: "a.txt" }, "sources", "it needs sources"],
    [
      { question: "a", sources: Array(1_001).fill({ path: "a" }) },
      "sources",
      "more than 1000 sources are named",
    ],
    [
      { question: "a", sources: [{}] },
      "sources[0]",
      "sources[0] is not exactly one of path, text, url, content_id and search",
    ],
    [
      { question: "a", sources: [null] },
      "sources[0]",
      "sources[0] is not exactly one of path, text, url, content_id and search",
    ],
    [
      { question: "a", sources: [...sources, { path: "a", url: "b" }] },
      "sources[1]",
      "sources[1] is not exactly one of path, text, url, content_id and search",
    ],
    [
      { question: "a", sources: [{ search: "web", url: "b" }] },
      "sources[0]",
      "sources[0] is not exactly one of path, text, url, content_id and search",
    ],
    [{ question: "a", sources: [{ path: " " }] }, "sources[0].path", "sources[0].path is empty"],
    [{ question: "a", sources: [{ text: 5 }] }, "sources[0].text", "sources[0].text is empty"],
    [
      { question: "a", sources: [{ path: "a", limit: 0 }] },
      "sources[0].limit",
      "sources[0].limit is no whole number from 1 to 1000",
    ],
    [
      { question: "a", sources, max_sources: 1_001 },
      "max_sources",
      "max_sources is no whole number from 1 to 1000",
    ],
    [{ question: "a", sources, snippets: 2.5 }, "snippets", "snippets is no whole number from 1 to 10"],
  ])("refuses invalid request %# with a reason", (request, field, why) => {
    expect(refusalOf(request)).toEqual([field, `Cannot start the research: ${why}`, true]);
  });

  it("throws only a ContractError, whatever the sources are", () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.anything(),
        (question, value) => void refusalOf({ question, sources: value }),
      ),
    );
  });
});

describe("newResearchId and isResearchId", () => {
  it("create ids that begin with their date", () => {
    const id = newResearchId(new Date("2026-11-16T23:59:59.999Z"));
    expect(id).toMatch(/^research-20261116-[0-9a-f]{6}$/);
    expect(isResearchId(id)).toBe(true);
    expect(newResearchId(new Date())).not.toBe(newResearchId(new Date()));
  });

  it("refuse ids that could be paths", () => {
    fc.assert(fc.property(fc.anything(), (value) => !isResearchId(value)));
    for (const id of [
      "research-20261116-3f9a2c\n",
      "research-20261116-3f9a2c/..",
      "research-2026111-3f9a2c",
      "RESEARCH-20261116-3f9a2c",
    ])
      expect(isResearchId(id)).toBe(false);
  });
});
