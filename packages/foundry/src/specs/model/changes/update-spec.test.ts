import { expect, test } from "vitest";
import { specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf } from "../testing/recount.ts";
import { failureOf, now, runChange } from "../testing/run-change.ts";
import { updateSpec } from "./update-spec.ts";

const spec_id = "made-up-2026-01-01-001";
const plain = (metadata: object = {}) => ({ ...specOf("phase-1", "phase-1/task-1-1"), metadata });

test("a new title is written to every copy of the title", () => {
  const before = plain({ title: "Made up", owner: "Ann", category: "decision", old: [1] });
  nodesOf(before)["spec-root"]!.metadata["category"] = "decision";
  const { document, result } = runChange(
    before,
    updateSpec({
      title: "Better",
      mission: "M",
      category: "research",
      metadata: { owner: null, old: null, version: "1.0", description: "D" },
    }),
  );
  expect(result).toEqual({
    spec_id,
    title: "Better",
    fields_updated: [
      "owner",
      "description",
      "title",
      "mission",
      "category",
      "metadata.old",
      "metadata.version",
    ],
    previous_values: {
      owner: "Ann",
      description: null,
      title: "Made up",
      mission: null,
      category: "decision",
      "metadata.old": [1],
      "metadata.version": null,
    },
  });
  const expected = structuredClone({
    ...before,
    title: "Better",
    last_updated: now,
    metadata: { title: "Better", category: "research", description: "D", mission: "M", version: "1.0" },
  });
  Object.assign(nodesOf(expected)["spec-root"]!, { title: "Better", metadata: { category: "research" } });
  expect(document).toEqual(expected);
});

test("metadata is created with one edit", () => {
  const { metadata: _, ...before } = plain();
  const { document } = runChange(before, updateSpec({ mission: "M", owner: "Ann" }));
  expect(document).toEqual({ ...before, last_updated: now, metadata: { mission: "M", owner: "Ann" } });
});

test("equal values change nothing", () => {
  expect(runChange(plain({ mission: "M" }), updateSpec({ mission: "M" }))).toEqual({
    edits: [],
    document: plain({ mission: "M" }),
    result: { spec_id, title: "Made up", fields_updated: [], previous_values: {}, changed: false },
    warnings: [`${spec_id} has these values already; nothing was changed`],
  });
});

test.each([
  ["nothing", {}, "MISSING_REQUIRED"],
  ["no title", { metadata: { title: null } }, "VALIDATION_ERROR"],
  ["too long a title", { title: "x".repeat(501) }, "CONTENT_TOO_LARGE"],
  ["too long a text", { metadata: { deep: { text: "x".repeat(20_001) } } }, "CONTENT_TOO_LARGE"],
  ["a status", { metadata: { status: "completed" } }, "VALIDATION_ERROR"],
  ["progress", { metadata: { progress_percentage: 100 } }, "VALIDATION_ERROR"],
  ["notes that are no list", { metadata: { assumptions: "none" } }, "INVALID_FORMAT"],
  ["a note that is none", { metadata: { risks: [1] } }, "INVALID_FORMAT"],
])("%s is refused", (_, input, code) => {
  expect(failureOf(plain(), updateSpec(input)).code).toBe(code);
});
