import { describe, expect, it } from "vitest";
import { toObservation } from "../observe/observation.ts";
import { findRows } from "./list-rows.ts";
import { toPage, type Walk } from "./walk-pages.ts";

const row = (id: number) => ({ id });

/** Creates a walk whose pages contain these payloads. Each page reports that it has two rows. */
function walkOf(...payloads: readonly object[]): Walk {
  const pages = payloads.map((data, index) => {
    const pagination = { cursor: "c", has_more: index + 1 < payloads.length, page_size: 2 };
    const structuredContent = {
      success: true,
      data,
      error: null,
      meta: { version: "response-v2", pagination },
    };
    const call = { tool: "list", args: {}, requestId: "r" };
    return toPage(toObservation(call, { kind: "result", result: { content: [], structuredContent } }))!;
  });
  return { pages, end: "complete" };
}

describe("the rows of a page", () => {
  it.each([
    ["the only list", [{ rows: [1, 2, 3] }], ["rows"]],
    [
      "a list one level deeper",
      [{ result: { items: [1, 2] } }, { result: { items: [3] } }],
      ["result", "items"],
    ],
    ["a list in a map", [{ rows: { a: row(1) } }], "none"],
    [
      "no list that is the same on every page",
      [
        { b: [8, 9], a: [1, 2] },
        { b: [8, 9], a: [3, 4] },
      ],
      ["a"],
    ],
    ["the list as long as page_size", [{ facets: [1, 2, 3], rows: [1, 2] }], ["rows"]],
    ["the records of two lists alike", [{ ids: [1, 2], rows: [row(1), row(2)] }], ["rows"]],
    [
      "what fits, where all are the same",
      [
        { a: [1], b: [1, 2] },
        { a: [1], b: [1, 2] },
      ],
      ["b"],
    ],
    ["none of two that both fit nowhere", [{ a: [1], b: [1, 2, 3] }], "several"],
  ])("are %s", (_, payloads, path) => {
    expect(findRows([walkOf(...payloads)])).toEqual(path);
  });
});
