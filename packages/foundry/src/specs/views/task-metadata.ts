import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type Canvas,
  type Field,
  type Line,
  list,
  prose,
  recordOf,
  section,
  textOf,
  wordsOf,
} from "@foundry-mcp/toolkit/terminal";
import { notesOf } from "./spec-view.ts";

/**
 * The metadata fields that a list of further metadata leaves out. A card shows some of them in other places;
 * the others only record times, blockers and past results.
 */
const notListed: ReadonlySet<string> = new Set([
  ...["description", "file_path", "command", "acceptance_criteria", "task_category", "priority", "owner"],
  ...["estimated_hours", "labels"],
  ...["started_at", "completed_at", "blocked_at", "failed_at", "last_verified_at"],
  ...["needs_journaling", "journaled_at", "verification_history", "research_history", "resolved_blockers"],
  ...["blocker_type", "blocker_description", "blocker_ticket", "blocked_by_external"],
]);

/**
 * Returns the further metadata of a task whose values are not lists, such as details, changes and expected.
 */
export function metadataTexts(metadata: UnknownRecord): readonly Field[] {
  return others(metadata).flatMap(([key, value]): readonly Field[] => {
    const record = recordOf(value);
    const text = Object.keys(record).length === 0 ? textOf(value) : wordsOf(record);
    return text.trim() === "" ? [] : [[titleOf(key), prose(text)]];
  });
}

/** Returns the further metadata of a task whose values are lists, such as the steps of a runbook. */
export function metadataLists(metadata: UnknownRecord, canvas: Canvas): readonly (readonly Line[])[] {
  return others(metadata).map(([key, value]) => {
    const items = Array.isArray(value) ? value : [];
    const texts = items.flatMap((item) => (typeof item === "object" ? notesOf([item]) : [textOf(item)]));
    return section(titleOf(key), list(texts, canvas));
  });
}

function others(metadata: UnknownRecord) {
  return Object.entries(metadata).filter(([key]) => !notListed.has(key));
}

/** Converts a key to a title. For example, `status_note` becomes "Status note". */
function titleOf(key: string): string {
  const words = key.replaceAll("_", " ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
