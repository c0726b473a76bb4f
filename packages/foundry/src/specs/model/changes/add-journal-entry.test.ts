import { expect, test } from "vitest";
import { specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf } from "../testing/recount.ts";
import { failureOf, now, runChange } from "../testing/run-change.ts";
import { addJournalEntry } from "./add-journal-entry.ts";

const document = specOf("phase-1", "phase-1/task-1-1 completed");

test("an entry is written at the end, members in the order of files", () => {
  const input = { title: "Chosen", content: "SQLite", entry_type: "decision", task_id: "task-1-1" } as const;
  const { document: after, result } = runChange(document, addJournalEntry(input));
  const entry = {
    timestamp: now,
    entry_type: "decision",
    title: "Chosen",
    content: "SQLite",
    author: "tester",
    metadata: {},
    task_id: "task-1-1",
  };
  expect(result).toEqual({ spec_id: "made-up-2026-01-01-001", task_id: "task-1-1", entry });
  expect(JSON.stringify(after["journal"])).toBe(JSON.stringify([entry]));
  expect(nodesOf(after)).toEqual(nodesOf(document));
  expect(after["last_updated"]).toBe(now);
});

test("an entry of the whole spec names no task, and is a note unless it says otherwise", () => {
  const { result } = runChange(document, addJournalEntry({ title: "T", content: "C" }));
  expect(result).toEqual({
    spec_id: "made-up-2026-01-01-001",
    entry: { timestamp: now, entry_type: "note", title: "T", content: "C", author: "tester", metadata: {} },
  });
});

test("an entry clears needs_journaling of its task", () => {
  const waiting = structuredClone(document);
  nodesOf(waiting)["task-1-1"]!.metadata = { needs_journaling: true };
  const input = { title: "T", content: "C", task_id: "task-1-1" };
  const { document: after } = runChange(waiting, addJournalEntry(input));
  expect(nodesOf(after)["task-1-1"]?.metadata).toEqual({ needs_journaling: false, journaled_at: now });
});

test.each([
  [{ title: "", content: "C" }, "VALIDATION_ERROR"],
  [{ title: "T", content: "x".repeat(20_001) }, "CONTENT_TOO_LARGE"],
  [{ title: "T", content: "C", task_id: "task-9-9" }, "TASK_NOT_FOUND"],
])("refuses the wrong entry %#", (input, code) => {
  expect(failureOf(document, addJournalEntry(input)).code).toBe(code);
});
