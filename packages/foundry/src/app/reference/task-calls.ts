import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  always,
  asMetadata,
  asOperations,
  batchTokens,
  confirmedDryRun,
  exchanged,
  inMetadata,
  joined,
  limited,
  metadataOfTask,
  only,
  onTask,
  refused,
  toCompletion,
  toleratedWhenListed,
} from "./parameters.ts";
import { countedFromOne, type Parameters, row, without } from "./row.ts";

const noSessions =
  "There are no autonomous sessions. An agent claims tasks with the action next of task (claim: true); if the agent dies, its leases expire.";

const metadataFields: Parameters = Object.fromEntries(metadataOfTask.map((name) => [name, inMetadata(name)]));

/** The text parameters with which the Python server completes a task. This server joins them to one note. */
const completionNote = joined("note", ["completion_note", "completion_notes", "journal_entry"]);

const dependency: Parameters = {
  depends_on: "target_id",
  dependency_type: exchanged(
    ["blocked_by", "hard"],
    "blocks",
    "Every dependency blocks a task here. Leave out dependency_type, or describe the relation of the tasks in the journal.",
  ),
};

const noMetadata =
  "Nodes are listed without metadata. Get the metadata of one node with the action info of task.";
const noConflicts = "A batch never has two tasks with the same file. Leave out ignore_conflicts.";

const reads = [
  row("task", "prepare", ["task", "prepare"], { include_context: always, compact: always }),
  row("task", "next", ["task", "next"], { include_context: always }),
  row("task", "info", ["task", "info"], {
    include_context: only(false, "Pass true or false as include_context."),
  }),
  {
    ...row("task", "info", ["task", "prepare"], { include_context: always }),
    when: { include_context: true },
  },
  row("task", "list", ["task", "query"], {
    status_filter: "status",
    include_phases: only(false, "Pass true or false as include_phases."),
    include_completed: limited(
      "false only with another status",
      (value, { status, status_filter: filter = status }) =>
        value === true || (value === false && typeof filter === "string" && filter !== "completed")
          ? {}
          : "Pass a status too: without a status, the answer lists completed tasks.",
    ),
  }),
  {
    ...row("task", "list", ["task", "hierarchy"], { include_phases: always }),
    when: { include_phases: true },
  },
  row("task", "query", ["task", "query"], { status_filter: "status" }),
  {
    ...row("task", "hierarchy", ["task", "hierarchy"], {
      include_metadata: toleratedWhenListed(only(false, noMetadata)),
    }),
    warn: ({ include_metadata: isWanted }: UnknownRecord) => (isWanted === true ? noMetadata : undefined),
  },
  row("task", "progress", ["task", "progress"], { include_phases: always, node_id: "task_id" }),
];

const edits = [
  row("task", "complete", ["task", "complete"], completionNote),
  row("task", "add", ["task", "add"], {
    task_type: "type",
    category: "task_category",
    metadata: asMetadata,
    ...metadataFields,
  }),
  row("task", "add-dependency", ["task", "add-dependency"], dependency),
  row("task", "remove-dependency", ["task", "remove-dependency"], dependency),
  row("task", "update-estimate", ["task", "update"], {
    hours: "estimated_hours",
    complexity: inMetadata("complexity"),
  }),
  row("task", "update-metadata", ["task", "update"], {
    custom_metadata: asMetadata,
    update_metadata: asMetadata,
    metadata: asMetadata,
    category: "task_category",
    ...metadataFields,
  }),
  // A requirement does not change the author's acceptance criteria. The requirement is stored in the journal of the
  // task.
  row(
    "task",
    "add-requirement",
    ["journal", "add"],
    {
      requirement: "content",
      text: "content",
      requirement_type: limited("acceptance, technical or constraint", (value) =>
        ["acceptance", "technical", "constraint"].includes(String(value))
          ? { title: `Requirement (${value})` }
          : "Pass acceptance, technical or constraint as requirement_type.",
      ),
    },
    { title: "Requirement", entry_type: "note" },
  ),
  countedFromOne("task", "move"),
  row("task", "remove", ["task", "remove"], { dry_run: confirmedDryRun }),
  row(
    "task",
    "metadata-batch",
    "Pass one update for each task to the action apply of authoring, which applies either all updates or none.",
  ),
  row("task", "fix-verification-types", ["spec", "fix"]),
];

const taskIds = "task_ids, a list of ids";

const batches = [
  {
    ...row("task", "prepare-batch", ["task", "prepare-batch"], {
      token_budget: "max_tokens",
      ignore_conflicts: toleratedWhenListed(only(false, noConflicts)),
    }),
    warn: ({ ignore_conflicts: isWanted }: UnknownRecord) => (isWanted === true ? noConflicts : undefined),
  },
  {
    ...row(
      "task",
      "start-batch",
      ["task", "batch"],
      { task_ids: asOperations(onTask("start"), taskIds), ...batchTokens },
      { atomic: true },
    ),
    requires: { task_ids: "operations" },
  },
  {
    ...row("task", "complete-batch", ["task", "batch"], {
      completions: asOperations(
        toCompletion,
        "completions, a list of {task_id, success, completion_note, claim_token}",
      ),
      ...batchTokens,
    }),
    requires: { completions: "operations" },
  },
  {
    ...row("task", "reset-batch", ["task", "batch"], {
      task_ids: asOperations(onTask("reset"), taskIds),
      ...batchTokens,
      threshold_hours: refused(
        "The lease of a task expires if its agent dies, so no task has to be reset by its age. Leave out threshold_hours.",
      ),
    }),
    requires: { task_ids: "operations" },
  },
];

const sessions = without(
  "task",
  [
    ...["session", "session-step", "session-events", "session-config", "gate-waiver"],
    ...["start", "status", "pause", "resume", "rebase", "end", "list", "reset"].map(
      (each) => `session-${each}`,
    ),
    ...["next", "report", "replay", "heartbeat"].map((each) => `session-step-${each}`),
  ],
  noSessions,
);

/** Calls of the tool `task` of the Python server. */
export const taskCalls = [...reads, ...edits, ...batches, ...sessions];
