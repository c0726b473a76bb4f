import { expect, test } from "vitest";
import { SpecModel } from "../spec-model.ts";
import { specOf } from "../testing/arbitrary-spec.ts";
import { failureOf, now, runChange } from "../testing/run-change.ts";
import { addNote, notesOf } from "./notes.ts";

const plain = (metadata: object = {}) => ({ ...specOf("phase-1"), metadata });

test.each([
  ["assumption", { text: "A" }, "assumptions", "A", {}],
  ["constraint", { text: "C" }, "constraints", "C", {}],
  ["question", { text: "Q?" }, "open_questions", "Q?", {}],
  ["success-criterion", { text: "S" }, "success_criteria", "S", {}],
  ["risk", { text: "R" }, "risks", { description: "R" }, {}],
  [
    "risk",
    { text: "R", likelihood: "low", impact: "high", mitigation: "M" },
    "risks",
    { description: "R", likelihood: "low", impact: "high", mitigation: "M" },
    { likelihood: "low", impact: "high", mitigation: "M" },
  ],
  [
    "revision",
    { version: "1.1", changes: "Z", author: "Ann" },
    "revision_history",
    { version: "1.1", date: now, changelog: "Z", author: "Ann" },
    { version: "1.1", date: now, author: "Ann" },
  ],
  [
    "revision",
    { version: "2", text: "Z" },
    "revision_history",
    { version: "2", date: now, changelog: "Z", author: "tester" },
    { version: "2", date: now, author: "tester" },
  ],
] as const)("a new %s is kept where files have it: %j", (kind, input, list, value, fields) => {
  const { document, result } = runChange(plain({ mission: "M" }), addNote({ kind, ...input }));
  expect(document).toEqual({ ...plain({ mission: "M", [list]: [value] }), last_updated: now });
  const text = "changes" in input ? input.changes : input.text;
  expect(result).toEqual({
    spec_id: "made-up-2026-01-01-001",
    kind,
    note: { kind, index: 0, text, ...fields },
    total: 1,
  });
  const second = runChange(
    document,
    addNote({ kind, ...input, text: "Other", changes: "Other", version: "9" }),
  );
  expect(second.result).toMatchObject({ note: { index: 1 }, total: 2 });
  expect((second.document["metadata"] as Record<string, unknown[]>)[list]?.[0]).toEqual(value);
});

test.each([
  [{ kind: "assumption", text: " A " }, { assumptions: ["B", "A"] }, 1],
  [{ kind: "risk", text: "R", impact: "low" }, { risks: [{ text: "R" }] }, 0],
  [{ kind: "revision", version: "1.0", changes: "New" }, { revision_history: [{ version: "1.0" }] }, 0],
  [{ kind: "success-criterion", text: "S" }, { success_criteria: "S" }, 0],
] as const)("%j is refused where it is noted: %j", (input, metadata, index) => {
  expect(failureOf(plain(metadata), addNote(input))).toMatchObject({
    code: "DUPLICATE_ENTRY",
    details: { kind: input.kind, index },
  });
});

test.each([
  [{ kind: "assumption" }, "MISSING_REQUIRED", "text"],
  [{ kind: "assumption", text: " \n" }, "MISSING_REQUIRED", "text"],
  [{ kind: "revision", changes: "C" }, "MISSING_REQUIRED", "version"],
  [{ kind: "revision", version: "1" }, "MISSING_REQUIRED", "changes"],
  [{ kind: "risk", text: "x".repeat(20_001) }, "CONTENT_TOO_LARGE", "text"],
] as const)("%j is refused", (input, code, field) => {
  expect(failureOf(plain(), addNote(input))).toMatchObject({ code, details: { field } });
});

test("a field that a kind does not have is dropped with a warning", () => {
  const { document, warnings } = runChange(
    plain(),
    addNote({ kind: "assumption", text: "A", author: "Ann", impact: "low" }),
  );
  expect(document["metadata"]).toEqual({ assumptions: ["A"] });
  expect(warnings).toEqual([
    "impact is ignored: a note of kind assumption has none",
    "author is ignored: a note of kind assumption has none",
  ]);
});

test("a stored text becomes the first note of a list; other values are not overwritten", () => {
  const { document } = runChange(plain({ constraints: "Old" }), addNote({ kind: "constraint", text: "New" }));
  expect(document["metadata"]).toEqual({ constraints: ["Old", "New"] });
  const { document: filled } = runChange(plain({ risks: null }), addNote({ kind: "risk", text: "R" }));
  expect(filled["metadata"]).toEqual({ risks: [{ description: "R" }] });
  expect(failureOf(plain({ risks: { a: 1 } }), addNote({ kind: "risk", text: "R" }))).toMatchObject({
    code: "INVALID_STATE",
    details: { field: "metadata.risks" },
  });
});

test("notes are listed kind by kind, whatever a file stores", () => {
  const metadata = {
    revision_history: [{ version: "1", date: "D", changelog: "C" }],
    assumptions: ["A", { text: "B", id: "a-1" }, 7],
    success_criteria: "S",
    risks: { no: "list" },
  };
  const spec = new SpecModel(plain(metadata));
  expect(notesOf(spec)).toEqual([
    { kind: "assumption", index: 0, text: "A" },
    { kind: "assumption", index: 1, text: "B", id: "a-1" },
    { kind: "assumption", index: 2, text: "" },
    { kind: "success-criterion", index: 0, text: "S" },
    { kind: "revision", index: 0, text: "C", version: "1", date: "D" },
  ]);
  expect(notesOf(spec, ["revision"])).toHaveLength(1);
});
