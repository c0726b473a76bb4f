import type { CliHelp, Tool } from "@foundry-mcp/toolkit";
import type { toolNames } from "../config/settings.ts";

type Texts = NonNullable<CliHelp["parameters"]>;

/**
 * Help texts for parameters that have the same meaning in every action. An action in which the parameter has another
 * meaning has a separate text below.
 */
const shared: Texts = {
  if_revision: "Fail with VERSION_CONFLICT unless the spec is still at this revision",
  dry_run: "Show the changes without writing them",
  idempotency_key: "Make retries safe: for 24 hours, a repeated call with this key returns the first answer",
  claim_token: "Token that proves your claim; the command that claimed the task returned it",
  force: "Override the claims of other agents (maintainers only)",
  since: "Return the data only if the spec has changed since this revision",
  holder: "Name of the agent that claims the task (default: your name)",
  lease_minutes: "Minutes until the claim expires, unless you renew the claim (default: 15)",
  description: "Description of the task",
  mission: "Goal of the spec",
  purpose: "Goal of the phase",
  category: "Category of the spec; any text",
  file_path: "Path of the file that the task changes",
  acceptance_criteria: "Condition that the task must meet to be completed",
  task_category: "Category of the task, such as implementation or refactoring",
  estimated_hours: "Estimated work in hours",
  priority: "Priority (default: treated as medium)",
  labels: "Label for selecting specs or tasks",
  owner: "Person or agent responsible for the work",
  metadata: "Further fields as a JSON object; the value null removes a field",
  phase_id: "Id of the phase",
  title: "Title of the task",
  parent: "Id of the phase or task under which the task is placed",
  position:
    "Position of the task among its siblings, from 0 (default: last, but before verify tasks at the end)",
  depends_on: "Id or title of a task that must be completed first",
  discovered_from: "Id of the task during which the new task was found",
  note: "Note for the journal; tasks that depend on this task show the note too",
  snippets: "Maximum number of quotes from each document (default: 5)",
  query: "Question or words by which quotes are selected",
  paths: "Path or URL of a document",
  source: "Document as a JSON object with one of the keys path, text, url and content_id",
  sources:
    "Source as a JSON object with one of the keys path, text, url, content_id and search; a path may be a folder",
  background: "Return at once; the work continues in the background",
  use_model: "Let the configured model write the summary (default: true; --no-use-model for false)",
};

/** Help texts of the parameters that select specs and tasks by the value of a field. */
const filters: Texts = {
  priority: "Select only tasks of this priority",
  labels: "Select only tasks with this label",
  owner: "Select only tasks of this owner",
};

const specFields: Texts = {
  title: "Title of the spec",
  description: "Description of the spec",
};
const phaseFields: Texts = {
  title: "Title of the phase",
  description: "Description of the phase",
};
const phasePosition: Texts = { position: "Position of the phase among all phases, from 0 (default: last)" };
const reviewed: Texts = {
  task_id: "Id of the reviewed task, phase or verify node (default: the whole spec)",
};

/**
 * Help for people, for cases in which the description is too short for a terminal. Descriptions are short, because
 * every token of a description costs money when a model reads it.
 */
export const helpTexts: Readonly<Record<(typeof toolNames)[number], Readonly<Record<string, CliHelp>>>> = {
  spec: {
    list: {
      parameters: {
        status: "List only specs in this folder",
        trash: "List only deleted specs",
        priority: "List only specs of this priority",
        labels: "List only specs with this label",
        owner: "List only specs of this owner",
      },
    },
    get: { summary: "Show the phases, the progress and the open questions of a spec" },
    find: { summary: "Show the file and the folder of a spec" },
    validate: {
      parameters: {
        strict: "Exit with 1 if the spec is invalid",
        detail: "List every diagnostic instead of grouping equal ones",
      },
    },
    fix: { summary: "Repair a spec: fix all errors, except errors that need a decision" },
    stats: { summary: "Count the phases of a spec, and its tasks by status" },
    "analyze-deps": {
      summary: "Find bottlenecks (tasks on which many tasks depend) and cycles of dependencies",
      parameters: {
        bottleneck_threshold: "Number of dependent tasks that makes a task a bottleneck (default: 3)",
      },
    },
    schema: { summary: "List the allowed values of spec fields" },
    search: {
      summary: "Find specs and tasks by the words in their texts",
      parameters: {
        query: "Words to find; one text must contain all of these words",
        spec_id: "Search only this spec",
      },
    },
    history: { summary: "List the revisions of a spec, newest first" },
    diff: {
      summary: "Compare two revisions of a spec",
      parameters: {
        from_revision: "Older revision (default: the revision before the newer revision)",
        to_revision: "Newer revision (default: the current revision)",
      },
    },
    rollback: {
      summary: "Restore a spec to an earlier revision",
      parameters: {
        to_revision: "Id of the revision to restore; specs history lists the ids",
        confirm: "Confirms that all later changes may be undone",
      },
    },
    undo: { summary: "Undo your last change to a spec; a second undo restores the change" },
    delete: {
      summary: "Move a spec to the trash; the command specs restore moves the spec back",
      parameters: { confirm: "Confirms that the spec may be moved to the trash" },
    },
    restore: { summary: "Restore a deleted spec from the trash" },
    import: {
      summary: "Create a spec from Markdown, or update the existing spec that the Markdown names",
      parameters: {
        markdown: "Markdown of the spec",
        spec_id: "Id of the spec to update (default: spec_id in the front matter of the Markdown)",
        as_new: "Create a new spec even if the Markdown names an existing spec",
        name: "Title of a new spec",
        status: "Folder of a new spec (default: pending)",
        remove_missing: "Remove tasks of the spec that are missing from the Markdown; requires --confirm",
        confirm: "Confirms that --remove-missing may remove tasks (required with --remove-missing)",
      },
    },
  },
  task: {
    next: {
      summary: "Show the next ready task (default: of any active spec)",
      parameters: { ...filters, claim: "Also claim the task that is shown" },
    },
    claim: { summary: "Claim a task, so that no other agent works on it (default: the next ready task)" },
    heartbeat: { summary: "Extend a claim before its lease expires" },
    release: { summary: "Give up the claim on a task" },
    "prepare-batch": {
      parameters: { ...filters, max_tasks: "Maximum number of tasks to claim (default: 3)" },
    },
    wait: {
      summary: "Wait until a task is ready or a spec changes (default: in any active spec)",
      parameters: {
        ...filters,
        for: "Event to wait for: a ready task, or any change of the spec (default: ready)",
        since: "With --for change: wait for a change after this revision (default: the current revision)",
        timeout_seconds: "Maximum number of seconds to wait (default: 50)",
      },
    },
    prepare: { summary: "Show a task with the context that work on it needs (default: the next ready task)" },
    info: { summary: "Show a task" },
    query: {
      summary: "List the tasks of a spec",
      parameters: {
        ...filters,
        status: "List only tasks of this status",
        parent: "List only tasks below this phase or task",
      },
    },
    hierarchy: {
      summary: "Show the phases and tasks of a spec as a tree",
      parameters: {
        parent: "Show only the tree below this phase or task",
        max_depth: "Number of levels to show (default: 2)",
      },
    },
    progress: {
      summary: "Show how many tasks of each phase are completed",
      parameters: { task_id: "Count only tasks below this phase or task" },
    },
    "check-deps": { summary: "Show the open dependencies of a task" },
    "list-blocked": { summary: "List the tasks that cannot start, with the reason for each task" },
    block: {
      parameters: {
        reason: "Reason why work on the task cannot continue",
        blocker_type: "Kind of obstacle that blocks the task",
        ticket: "Number or URL of a ticket about the obstacle",
      },
    },
    unblock: { parameters: { status: "New status of the task (default: pending)" } },
    "update-status": { parameters: { status: "New status of the task" } },
    reopen: { parameters: { reason: "Reason for reopening the task" } },
    batch: {
      summary: "Change the status of several tasks in one call",
      parameters: {
        operations:
          'Operation as a JSON object, such as {"op": "complete", "task_id": "task-1-1"}; op is start, complete, block, unblock, update-status or reopen',
        atomic: "Apply no operation if one fails (default: apply the others)",
      },
    },
    add: {
      summary: "Add a task to a phase or below another task",
      parameters: { type: "Type of the task (default: task)" },
    },
    remove: {
      parameters: {
        cascade: "Also remove the tasks below this task",
        confirm: "Confirms that the task may be removed",
      },
    },
    move: { summary: "Move a task to another parent or position" },
    update: { summary: "Change fields of a task" },
    "add-dependency": {
      summary: "Make a task wait until another task or phase is completed",
      parameters: { target_id: "Id of the task or phase that must be completed first" },
    },
    "remove-dependency": {
      summary: "Remove a dependency, so that a task no longer waits for another task or phase",
      parameters: { target_id: "Id of the task or phase for which the task waits now" },
    },
  },
  authoring: {
    "spec-create": {
      parameters: {
        description: "Description of the spec",
        status: "Folder of the spec (default: pending)",
        phases: "Phase with its tasks, as a JSON object",
      },
    },
    "spec-update": {
      parameters: {
        ...specFields,
        key: "Name of one metadata field to set; requires --value",
        value: "Value of the metadata field; requires --key",
      },
    },
    "phase-add": {
      parameters: {
        ...phaseFields,
        ...phasePosition,
        link_previous:
          "Make the phase wait for the previous phase (default: true if the phase is added last; --no-link-previous for false)",
      },
    },
    "phase-add-bulk": {
      parameters: {
        phase: 'Phase as a JSON object, such as {"title": "Release"}',
        tasks: 'Task as a JSON object, such as {"title": "Write the notes"}',
      },
    },
    "phase-update": { parameters: phaseFields },
    "phase-move": {
      parameters: {
        ...phasePosition,
        link_previous:
          "Make the phase wait for the previous phase; --no-link-previous for no (default: unchanged)",
      },
    },
    "phase-remove": {
      summary:
        "Remove a phase and all its tasks. Fails if a task in the phase is open, unless --force is given",
      parameters: {
        force: "Remove the phase even if its tasks are open or claimed",
        confirm: "Confirms that the phase and all its tasks may be removed",
      },
    },
    "note-add": {
      parameters: {
        kind: "Kind of note",
        text: "Text of the note",
        likelihood: "Likelihood of a risk",
        impact: "Impact of a risk",
        mitigation: "Mitigation of a risk",
        version: "Version that a revision note describes",
        changes: "Changes that a revision note describes; used instead of --text",
        author: "Author of the changes in a revision note",
      },
    },
    "note-list": { parameters: { kind: "List only notes of this kind" } },
    "find-replace": {
      parameters: {
        find: "Text to find; with --use-regex, a regular expression",
        replace: "Replacement text; with --use-regex, $1 inserts the first group of the match",
        scope: "Fields to change (default: all)",
        use_regex: "Treat the text to find as a regular expression",
        case_sensitive:
          "Distinguish upper case from lower case (default: true; --no-case-sensitive for false)",
        force: "Replace even in tasks that another agent has claimed (maintainers only)",
      },
    },
    apply: {
      summary: "Apply several changes to a spec: either all of them or none",
      parameters: {
        operations:
          'Operation as a JSON object, such as {"op": "start", "task_id": "task-1-1"}. An operation that adds a task may set "ref": "a"; later operations then write "$a" for the id of that task',
        operations_text: "All operations as one JSON list; used instead of --operations",
      },
    },
  },
  lifecycle: {
    activate: {
      summary: "Move a spec to the folder active",
      parameters: { reason: "Reason to record in the journal" },
    },
    complete: {
      summary: "Move a spec to the folder completed. Fails if the spec has open tasks",
      parameters: {
        force: "Complete the spec even if it has open tasks; requires --reason",
        reason: "Reason to record in the journal",
      },
    },
    archive: {
      summary: "Move a spec to the folder archived",
      parameters: { reason: "Reason to record in the journal" },
    },
    move: {
      parameters: {
        to_folder: "Folder to move the spec to",
        force: "Move the spec to completed even if it has open tasks; requires --reason",
        reason: "Reason to record in the journal",
      },
    },
    state: { summary: "Show the folder of a spec, and the folders to which the spec can be moved" },
  },
  journal: {
    add: {
      summary: "Add an entry to the journal of a spec",
      parameters: {
        title: "Title of the entry",
        content: "Text of the entry",
        task_id: "Id of the task that the entry is about",
      },
    },
    list: { summary: "List the journal entries of a spec, newest first" },
  },
  verification: {
    add: {
      parameters: {
        result: "Result of the verification",
        issues: "Problems that the verification found",
        notes: "Notes about the result",
        command: "Command that performed the verification",
        output: "Output of the command, which is stored outside the spec file",
      },
    },
    execute: {
      summary: "Run the program of a verify node, and record the result. The settings must allow the program",
      parameters: {
        argv: "Program and arguments, run without a shell (default: the command of the verify node)",
        timeout_seconds: "Seconds after which the program is stopped (default: 300)",
        record: "Record the result in the spec (default: true; --no-record for false)",
      },
    },
  },
  review: {
    prepare: {
      summary:
        "Collect the material for a review: criteria, plan, evidence, journal, earlier reviews, and the git diff of the files",
      parameters: reviewed,
    },
    add: {
      summary: "Record the verdict and the findings of a review",
      parameters: {
        ...reviewed,
        verdict: "Verdict of the review",
        summary: "Summary of the review",
        findings: "Finding as a JSON object with severity and message",
        work_hash:
          "Hash of the reviewed work: the work_hash from review prepare (default: the hash of the current work)",
      },
    },
    list: {
      summary:
        "List reviews, newest first. A review is marked stale if the work has changed since the review",
      parameters: reviewed,
    },
  },
  research: {
    digest: {
      summary: "Write a digest of a document: a summary, key points, and quotes that can be verified",
    },
    "digest-batch": { summary: "Write digests of several documents, or of all documents in a folder" },
    verify: {
      parameters: {
        digest: "Digest to check, or an answer that contains a digest",
        research_id: "Id of a research run; its report is checked instead of a digest",
      },
    },
    start: {
      summary: "Search files, folders, URLs and the web for the answer to a question, and write a report",
      parameters: { paths: "Path or URL of a document, or path of a folder" },
    },
    resume: { summary: "Continue a research run that was interrupted or cancelled" },
    status: { summary: "Show the progress of a research run" },
    report: {
      summary: "Show the report of a research run, with quotes for each claim",
      parameters: { format: "Format of the report (default: json)" },
    },
    list: { summary: "List your research runs, newest first" },
    cancel: { summary: "Stop a research run; the command research resume continues the run" },
    delete: {
      summary: "Delete a research run and its report",
      parameters: { confirm: "Confirms that the research run may be deleted" },
    },
  },
};

/** Adds the help for people to the actions of a tool. */
export function withHelp(name: (typeof toolNames)[number], tool: Tool): Tool {
  const actions = [...tool.actions].map(([action, definition]) => {
    if (definition.cli === false) return [action, definition] as const;
    const own = helpTexts[name][action];
    const help = { ...own, parameters: { ...shared, ...own?.parameters } };
    return [action, { ...definition, cli: { ...definition.cli, help } }] as const;
  });
  return { ...tool, actions: new Map(actions) };
}
