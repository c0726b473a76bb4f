import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { applyEdits, type Edit } from "./edit.ts";
import { editText } from "./edit-text.ts";
import { scanJson } from "./scan-json.ts";
import { lineDiff } from "./testing/line-diff.ts";

const folder = new URL("../../../../../test/fixtures/specs/", import.meta.url);

const entry = {
  timestamp: "2026-02-01T10:00:00Z",
  entry_type: "status_change",
  title: "Done \u2014 at last",
  content: "It works.",
  author: "ada",
  task_id: "task-1-1",
  metadata: {},
};

/**
 * The lines of the entry except the last line, in the format of these files: an indentation of two spaces, and only
 * ASCII.
 */
const entryLines = [
  "    {",
  '      "timestamp": "2026-02-01T10:00:00Z",',
  '      "entry_type": "status_change",',
  '      "title": "Done \\u2014 at last",',
  '      "content": "It works.",',
  '      "author": "ada",',
  '      "task_id": "task-1-1",',
  '      "metadata": {}',
];

describe("an edit of a real spec", () => {
  it.each([
    ["archived/validate-fix-auto-cleanup-2025-12-15-001.json", "task-1-1", "pending"],
    ["completed/actual-hours-auto-calculation-2026-01-06-001.json", "task-1-1", "completed"],
    ["completed/foundry-mcp-2025-01-25-001.json", "task-1-1", "completed"],
    ["completed/notes-intake-2025-12-28-001.json", "task-3-1", "completed"],
    ["completed/response-schema-standardization-2025-11-26-001.json", "task-1-1", "completed"],
    ["completed/sdd-core-operations-2025-11-27-001.json", "task-1-1", "completed"],
    ["pending/mcp-server-resilience-2026-01-24-001.json", "task-1-1", "completed"],
  ])("changes the lines it must and no others: %s", (path, task, status) => {
    const before = readFileSync(new URL(path, folder));
    const set: Edit = { op: "set", path: ["hierarchy", task, "status"], value: "blocked" };
    const document = JSON.parse(before.toString());
    const append: Edit = { op: "insert", path: ["journal"], index: document.journal.length, value: entry };

    const first = Buffer.concat(editText(before, [set]).chunks);
    expect(lineDiff(before.toString(), first.toString())).toEqual({
      removed: [`      "status": "${status}",`],
      added: ['      "status": "blocked",'],
    });

    const second = Buffer.concat(editText(first, [append]).chunks);
    expect(lineDiff(first.toString(), second.toString())).toEqual(
      document.journal.length > 0
        ? { removed: [], added: ["    },", ...entryLines] }
        : { removed: ['  "journal": []'], added: ['  "journal": [', ...entryLines, "    }", "  ]"] },
    );

    const both = editText(before, [set, append]);
    expect(Buffer.concat(both.chunks).equals(second)).toBe(true);
    expect(JSON.parse(second.toString())).toEqual(applyEdits(document, [set, append]));
    expect(both.index).toEqual(scanJson(second));
  });
});
