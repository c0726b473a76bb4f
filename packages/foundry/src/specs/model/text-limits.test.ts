import type { JsonValue } from "@foundry-mcp/contract";
import { expect, test } from "vitest";
import { SpecModel } from "./spec-model.ts";
import {
  maxDepth,
  maxNodes,
  maxTextLength,
  maxTitleLength,
  requireRoom,
  requireText,
  requireTexts,
  requireTitle,
  toTitle,
} from "./text-limits.ts";

test("a title is counted in code points", () => {
  requireTitle("title", "x".repeat(maxTitleLength));
  requireTitle("title", "😀".repeat(maxTitleLength));
  for (const title of ["x".repeat(maxTitleLength + 1), "😀".repeat(maxTitleLength + 1), "😀".repeat(9999)])
    expect(() => requireTitle("title", title)).toThrow(
      expect.objectContaining({ code: "CONTENT_TOO_LARGE" }) as Error,
    );
  expect(() => requireTitle("title", "")).toThrow("title must be not empty");
});

test("an error names the text that is too long", () => {
  requireText("note", undefined);
  requireText("note", "x".repeat(maxTextLength));
  const long = "x".repeat(maxTextLength + 1);
  expect(() => requireText("note", long)).toThrow(
    "Cannot take note: it is 20001 characters long, more than the limit of 20000",
  );
  expect(() => requireTexts("metadata", { a: [1, null, { b: long }] })).toThrow(
    "Cannot take metadata.a.2.b:",
  );
  expect(() => requireTexts("metadata", { a: [1, null, { b: "short" }] })).not.toThrow();
});

test("a value that is nested too deeply is refused", () => {
  const nested = (levels: number): JsonValue => (levels === 0 ? "end" : { a: nested(levels - 1) });
  requireTexts("metadata", nested(maxDepth + 1));
  for (const levels of [maxDepth + 2, 1_000])
    expect(() => requireTexts("metadata", nested(levels))).toThrow(
      "Cannot take metadata: it is nested more than 50 levels deep",
    );
});

test("a spec cannot exceed the maximum number of nodes", () => {
  const spec = new SpecModel({ spec_id: "x", hierarchy: { "spec-root": {}, "phase-1": {} } });
  requireRoom(spec, maxNodes - 2);
  expect(() => requireRoom(spec, maxNodes - 1)).toThrow(
    'Cannot add 99999 nodes to spec "x": it would have 100001, more than the limit of 100000',
  );
});

test("a title is truncated between code points", () => {
  expect(toTitle("short")).toBe("short");
  expect(toTitle("😀".repeat(600))).toBe("😀".repeat(500));
});
