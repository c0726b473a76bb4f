import { expect, test } from "vitest";
import type { SpecDocument } from "../spec-document.ts";
import { specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf } from "../testing/recount.ts";
import { context, failureOf, now, runChange } from "../testing/run-change.ts";
import { findReplace, type Replace } from "./find-replace.ts";

const spec_id = "made-up-2026-01-01-001";

/** Replaces every `old` with another text. */
const olds =
  (by: string): Replace =>
  (texts) =>
    texts.map(({ text }) => ({ text: text.replaceAll("old", by), count: text.split("old").length - 1 }));

const always =
  (text: string, count: number): Replace =>
  (texts) =>
    texts.map(() => ({ text, count }));

const filled = () => {
  const document = {
    ...specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2"),
    title: "The old one",
    metadata: { title: "The old one", description: "old old", mission: "old" },
  };
  const nodes = nodesOf(document);
  nodes["spec-root"]!.title = "The old one";
  nodes["task-1-1"]!.metadata["description"] = "not so old";
  Object.assign(nodes["task-1-2"]!, { title: "old task", description: "old" });
  return document;
};

const edited = (change: (document: ReturnType<typeof filled>) => void): SpecDocument => {
  const document = structuredClone(filled());
  change(document);
  return { ...document, last_updated: now };
};

test("texts change at every path, and nothing else does", () => {
  const { document, result } = runChange(filled(), findReplace({ replace: olds("new") }));
  expect(result).toEqual({
    spec_id,
    total_replacements: 6,
    nodes_affected: 3,
    changes: [
      { node_id: "spec-root", field: "title", before: "The old one", after: "The new one" },
      { node_id: "spec-root", field: "description", before: "old old", after: "new new" },
      { node_id: "task-1-1", field: "description", before: "not so old", after: "not so new" },
      { node_id: "task-1-2", field: "title", before: "old task", after: "new task" },
      { node_id: "task-1-2", field: "description", before: "old", after: "new" },
    ],
  });
  expect(document).toEqual(
    edited((spec) => {
      spec.title = "The new one";
      Object.assign(spec.metadata, { title: "The new one", description: "new new" });
      const nodes = nodesOf(spec);
      nodes["spec-root"]!.title = "The new one";
      nodes["task-1-1"]!.metadata["description"] = "not so new";
      Object.assign(nodes["task-1-2"]!, { title: "new task", description: "new" });
    }),
  );
});

test.each([
  ["titles", 2, 2],
  ["descriptions", 4, 3],
] as const)("%s alone", (scope, total_replacements, nodes_affected) => {
  const { result } = runChange(filled(), findReplace({ scope, replace: olds("new") }));
  expect(result).toMatchObject({ total_replacements, nodes_affected });
});

test("no match or an equal replacement changes nothing and warns", () => {
  const none: Replace = (texts) => texts.map(({ text }) => ({ text, count: 0 }));
  expect(runChange(filled(), findReplace({ replace: none }))).toMatchObject({
    edits: [],
    result: { total_replacements: 0, nodes_affected: 0, changes: [] },
    warnings: ["No text matches; nothing was changed"],
  });
  expect(runChange(filled(), findReplace({ replace: olds("old") }))).toMatchObject({
    edits: [],
    result: { total_replacements: 6, nodes_affected: 0 },
    warnings: ["The text and its replacement are equal; nothing was changed"],
  });
});

test("at most ten changes are reported, with long texts truncated", () => {
  const document = specOf("phase-1", ...Array.from({ length: 20 }, (_, n) => `phase-1/task-1-${n + 1}`));
  nodesOf(document)["task-1-1"]!.metadata["description"] = `old ${"😀".repeat(300)}`;
  const replace: Replace = (texts) => texts.map(({ text }) => ({ text: `new ${text}`, count: 1 }));
  const { result } = runChange(document, findReplace({ replace }));
  expect(result.changes).toHaveLength(10);
  const long = result.changes.find(({ field }) => field === "description");
  expect(long?.before).toBe(`old ${"😀".repeat(195)}…`);
});

test.each([
  ["too many", always("x", 300), "CONTENT_TOO_LARGE", "find"],
  ["an empty title", always("", 1), "VALIDATION_ERROR", "title of spec-root"],
  ["too long a title", olds("x".repeat(501)), "CONTENT_TOO_LARGE", "title of spec-root"],
])("%s is refused", (_, replace, code, field) => {
  expect(failureOf(filled(), findReplace({ replace }))).toMatchObject({ code, details: { field } });
});

test("a held task is not changed without force", () => {
  const lease = {
    task_id: "task-1-2",
    token: "1-a",
    holder: "Ann",
    since: now,
    until: "2026-01-02T13:00:00Z",
  };
  const held = { ...context, leases: new Map([["task-1-2", lease]]) };
  const plan = findReplace({ replace: olds("new") });
  expect(() => runChange(filled(), plan, held)).toThrow(
    "Cannot replace texts of task-1-2: Ann holds a claim on it until",
  );
  const forced = findReplace({ replace: olds("new"), force: true });
  expect(runChange(filled(), forced, held).result.total_replacements).toBe(6);
});
