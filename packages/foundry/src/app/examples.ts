import type { ActionExample, Tool } from "@foundry-mcp/toolkit";
import type { toolNames } from "../config/settings.ts";

const spec_id = "tide-tables-2026-01-31-001";
const spec = { spec_id };
const task = { spec_id, task_id: "task-1-2" };
const phase = { spec_id, phase_id: "phase-2" };
const verify = { spec_id, verify_id: "verify-1-1" };
const research = { research_id: "deepres-0123456789ab" };

type Row = readonly [title: string, args: ActionExample["args"]];

/**
 * An example for each action, for its help and its reference. All examples are in one table, so that they fit
 * together.
 */
const examples: Readonly<Record<(typeof toolNames)[number], Readonly<Record<string, Row>>>> = {
  spec: {
    list: ["List the active specs", { status: "active" }],
    get: ["Read a spec", spec],
    find: ["Find the file of a spec", spec],
    validate: ["Check a spec, and fail if it is invalid", { ...spec, strict: true }],
    fix: ["Show the changes that a repair would make", { ...spec, dry_run: true }],
    stats: ["Count the tasks of a spec", spec],
    "analyze-deps": ["Find tasks on which at least five tasks depend", { ...spec, bottleneck_threshold: 5 }],
    schema: ["List the allowed values of all fields", {}],
    search: ["Find all texts that contain both words", { query: "low water" }],
    history: ["List the last five changes of a spec", { ...spec, limit: 5 }],
    diff: ["Show the last change of a spec", spec],
    rollback: [
      "Restore a revision that history lists",
      { ...spec, to_revision: "3-30c0efb1", confirm: true },
    ],
    undo: ["Undo your last change to a spec", spec],
    delete: ["Move a spec to the trash", { ...spec, confirm: true }],
    restore: ["Restore a deleted spec", spec],
    export: ["Export a spec as Markdown", spec],
    import: [
      "Create a spec from Markdown",
      { markdown: "# Tide tables\n\n## Data\n\n- [ ] Find a source\n" },
    ],
  },
  task: {
    next: ["Claim the next ready task of a spec", { ...spec, claim: true }],
    claim: ["Claim a task for an hour", { ...task, lease_minutes: 60 }],
    heartbeat: ["Renew a claim", { ...task, claim_token: "1-3f2a91bc" }],
    claims: ["List the claims of a spec", spec],
    release: ["Give up a claim", { ...task, claim_token: "1-3f2a91bc" }],
    "prepare-batch": ["Claim up to three tasks that touch different files", { ...spec, max_tasks: 3 }],
    wait: ["Wait up to a minute for a ready task", { ...spec, timeout_seconds: 60 }],
    prepare: ["Read a task with its context", task],
    info: ["Read a task", task],
    query: ["List the tasks that are in progress", { ...spec, status: "in_progress" }],
    hierarchy: ["Show three levels of phases and tasks", { ...spec, max_depth: 3 }],
    progress: ["Count the completed tasks", spec],
    "check-deps": ["List the open dependencies of a task", task],
    "list-blocked": ["List tasks that cannot start", spec],
    start: ["Mark a task as in progress", task],
    complete: ["Complete a task, with a note", { ...task, note: "Parser reads all 214 stations" }],
    block: ["Block a task, with the reason", { ...task, reason: "No access to the archive" }],
    unblock: ["Unblock a task, with a note", { ...task, note: "Access was given" }],
    "update-status": ["Set the status of a task", { ...task, status: "in_progress" }],
    reopen: ["Reopen a completed task", { ...task, reason: "Two stations are missing" }],
    batch: ["Start a task", { ...spec, operations: [{ op: "start", task_id: "task-1-2" }] }],
    add: ["Add a task to a phase", { ...spec, parent: "phase-1", title: "Parse the station list" }],
    remove: ["Remove a task", { ...task, confirm: true }],
    move: ["Move a task to the top of its phase", { ...task, position: 0 }],
    update: ["Give a task an owner", { ...task, owner: "grace" }],
    "add-dependency": ["Make a task wait for another task", { ...task, target_id: "task-1-1" }],
    "remove-dependency": ["Remove a dependency of a task", { ...task, target_id: "task-1-1" }],
  },
  authoring: {
    "spec-create": ["Create a spec in the folder active", { name: "Tide tables", status: "active" }],
    "spec-update": ["Give a spec a mission", { ...spec, mission: "Sailors know the tide" }],
    "phase-add": ["Add a phase at the end", { ...spec, title: "Release" }],
    "phase-add-bulk": [
      "Add a phase with its tasks",
      { ...spec, phase: { title: "Release" }, tasks: [{ title: "Write the notes" }] },
    ],
    "phase-update": ["Rename a phase", { ...phase, title: "Calculate" }],
    "phase-move": ["Move a phase to the first position", { ...phase, position: 0 }],
    "phase-remove": ["Remove a phase", { ...phase, confirm: true }],
    "note-add": ["Add a risk", { ...spec, kind: "risk", text: "The source may change its format" }],
    "note-list": ["List the open questions", { ...spec, kind: "question" }],
    "find-replace": [
      "Show the changes that a replacement would make",
      { ...spec, find: "tide", replace: "Tide", dry_run: true },
    ],
    apply: [
      "Apply two changes, or neither of them",
      {
        ...spec,
        operations: [
          { op: "start", task_id: "task-1-2" },
          { op: "add", parent: "phase-1", title: "Check the units" },
        ],
      },
    ],
  },
  lifecycle: {
    activate: ["Move a spec to the folder active", spec],
    complete: ["Complete a spec", spec],
    archive: ["Archive a spec", { ...spec, reason: "Replaced" }],
    move: ["Move a spec back to the folder pending", { ...spec, to_folder: "pending" }],
    state: ["Show the folders to which a spec can be moved", spec],
  },
  journal: {
    add: [
      "Add a decision to the journal",
      { ...spec, title: "Units", content: "All heights are in metres." },
    ],
    list: ["List the last ten entries", { ...spec, limit: 10 }],
    unjournaled: ["List completed tasks without a journal entry", spec],
  },
  verification: {
    add: ["Record the result of a verification", { ...verify, result: "PASSED", command: "npm test" }],
    execute: ["Run a program, and record its result", { ...verify, argv: ["npm", "test"] }],
  },
  review: {
    prepare: ["Collect the material for a review of a task", task],
    add: ["Record a verdict", { ...task, verdict: "approved", summary: "Reads all stations" }],
    list: ["List the reviews of a spec", spec],
  },
  research: {
    digest: [
      "Write a digest of a document for a question",
      { paths: ["docs/tides.md"], query: "Who publishes the data?" },
    ],
    "digest-batch": ["Write digests of two documents", { paths: ["docs/tides.md", "docs/units.md"] }],
    verify: ["Check the quotes of a digest", { digest: "{}" }],
    start: [
      "Research a question in a folder of documents",
      { question: "Who publishes the data?", paths: ["docs"] },
    ],
    resume: ["Continue a research run", research],
    status: ["Show the progress of a research run", research],
    report: ["Read the report of a research run", research],
    list: ["List all research runs", {}],
    cancel: ["Stop a research run", research],
    delete: ["Delete a research run", { ...research, confirm: true }],
  },
};

/** Adds the examples to the actions of a tool. */
export function withExamples(name: (typeof toolNames)[number], tool: Tool): Tool {
  const actions = [...tool.actions].map(([action, definition]) => {
    const row = examples[name][action];
    return [
      action,
      row === undefined ? definition : { ...definition, examples: [{ title: row[0], args: row[1] }] },
    ] as const;
  });
  return { ...tool, actions: new Map(actions) };
}
