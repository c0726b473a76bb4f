import { rootId, type SpecDocument, type SpecFolder } from "../../model/spec-document.ts";
import { SpecModel } from "../../model/spec-model.ts";
import type { SpecSnapshot, SpecSummary } from "../../stores/spec-store.ts";

/** The fields of a task that a test sets. All other fields have default values. */
export interface TaskShape {
  readonly title?: string;
  readonly status?: string;
  readonly blockedBy?: readonly string[];
  readonly reason?: string;
}

/** Returns a spec. The phases are given by title, and the tasks of each phase by id. */
export function watchedDocument(
  id: string,
  title: string,
  phases: Readonly<Record<string, Readonly<Record<string, TaskShape>>>>,
  journal: readonly object[] = [],
): SpecDocument {
  const node = (
    type: string,
    name: string,
    parent: string | null,
    children: readonly string[],
    more = {},
  ) => ({
    type,
    title: name,
    status: "pending",
    parent,
    children,
    metadata: {},
    dependencies: { blocks: [], blocked_by: [], depends: [] },
    ...more,
  });
  const names = Object.keys(phases);
  const hierarchy = Object.fromEntries([
    [
      rootId,
      node(
        "spec",
        title,
        null,
        names.map((_, index) => `phase-${index + 1}`),
      ),
    ],
    ...names.map((name, index) => [
      `phase-${index + 1}`,
      node("phase", name, rootId, Object.keys(phases[name] ?? {})),
    ]),
    ...names.flatMap((name, index) =>
      Object.entries(phases[name] ?? {}).map(
        ([task, { title: called = `Do ${task}`, status = "pending", blockedBy = [], reason }]) => [
          task,
          node("task", called, `phase-${index + 1}`, [], {
            status,
            dependencies: { blocks: [], blocked_by: blockedBy, depends: [] },
            metadata: reason === undefined ? {} : { blocker_description: reason },
          }),
        ],
      ),
    ),
  ]);
  return { spec_id: id, title, last_updated: "2026-01-02T11:00:00Z", hierarchy, journal };
}

/** Returns a snapshot of a document. */
export function snapshotOf(document: SpecDocument, folder: SpecFolder = "active"): SpecSnapshot {
  const model = new SpecModel(document);
  return {
    id: model.id,
    folder,
    revision: "7-0a1b2c3d",
    model,
    bytes: 1,
    path: `${folder}/${model.id}.json`,
  };
}

/** Returns the summary of a snapshot in the form that a list contains. */
export function summaryOf(
  { id, folder, revision, path, model }: SpecSnapshot,
  updated?: string,
): SpecSummary {
  return { id, folder, revision, path, title: model.title, progress: model.tally(rootId), updated };
}

/** A spec that contains examples of every kind of content. */
export const exampleDocument = watchedDocument(
  "parser-2026-01-02-001",
  "A parser for the new format",
  {
    "Know what there is": {
      "task-1-1": { title: "Read the grammar", status: "completed" },
      "task-1-2": { title: "List the odd cases", status: "completed" },
    },
    "Build it": {
      "task-2-1": { title: "Write the scanner", status: "in_progress" },
      "task-2-2": { title: "Write the parser", status: "in_progress" },
      "task-2-3": { title: "Sign the release", status: "blocked", reason: "The key is not there yet" },
      "task-2-4": { title: "Tell of errors by line and column" },
    },
    "Show it": {
      "task-3-1": { title: "Write the guide", blockedBy: ["task-2-1", "task-2-2"] },
      "task-3-2": { title: "Draw the picture" },
    },
  },
  [
    {
      timestamp: "2026-01-01T09:00:00Z",
      title: "Task Completed: Read the grammar",
      content: "It is short",
      author: "ada",
    },
    {
      timestamp: "2026-01-02T11:30:00Z",
      title: "Task Blocked: Sign the release",
      content: "The key is not there yet",
      author: "grace",
    },
  ],
);
