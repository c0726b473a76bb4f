import type { CompatibleCall, CompatibleParameter } from "@foundry-mcp/toolkit";
import {
  always,
  asOperations,
  inMetadata,
  only,
  onTask,
  refused,
  toCompletion,
  withDefaults,
} from "./parameters.ts";

type Parameters = Readonly<Record<string, CompatibleParameter>>;
type Target = CompatibleCall["to"];

const row = (tool: string, action: string, to: Target, parameters: Parameters = {}, set?: object) =>
  ({ tool, action, to, parameters, ...(set === undefined ? {} : { set }) }) as CompatibleCall;

/** Actions of one tool that have no counterpart here. */
const without = (tool: string, actions: readonly string[], reason: string) =>
  actions.map((action) => row(tool, action, reason));

const noSessions =
  "There are no autonomous sessions here: an agent takes tasks with the action next of task (claim: true), and its lease ends if it dies.";
const noModels =
  "There is no consultation of models here: whoever calls is the model. Read sources with the actions digest and start of research.";
const noJudge =
  "Foundry does not judge work by a model. Take the bundle with the action prepare of review, judge it, and record the verdict with the action add.";
const noErrorLog =
  "Failures are not kept: each answer has its request_id, and the log of the server has its line.";
const noTemplates = "There are no templates: give phases to the action spec-create of authoring.";
const keepsHistory = always;

const health = ["liveness", "readiness", "check"].map((action) =>
  row("health", action, ["server", "health"], { include_details: always }),
);

const server = [
  row("server", "tools", ["server", "tools"], { category: always, tag: always, include_deprecated: always }),
  row("server", "schema", ["server", "schema"], { tool_name: "tool" }),
  row("server", "context", ["server", "context"], {
    include_llm: always,
    include_workflow: always,
    include_workspace: always,
    include_capabilities: always,
  }),
  row("server", "llm-status", ["server", "context"]),
];

const environment = [
  ...["get-config", "verify-env", "verify-toolchain", "detect", "detect-test-runner"].map((action) =>
    row("environment", action, ["server", "context"], {
      sections: always,
      key: always,
      path: always,
      include_optional: always,
      check_python: always,
      check_git: always,
      check_node: always,
      required_packages: refused(
        "Packages are not checked here; doctor of the command line checks the workspace.",
      ),
    }),
  ),
  ...without(
    "environment",
    ["init", "setup"],
    "A server creates no workspace. Run init of the command line: npx foundry-mcp init --agent claude.",
  ),
];

const spec = [
  row("spec", "list", ["spec", "list"], { include_progress: always }),
  row("spec", "validate", ["spec", "validate"], {
    auto_fix: only(false, "The action validate changes nothing: use the action fix of spec."),
  }),
  row("spec", "fix", ["spec", "fix"], { create_backup: keepsHistory, auto_fix: always }),
  row("spec", "validate-fix", ["spec", "fix"], { create_backup: keepsHistory, auto_fix: always }),
  row("spec", "analyze", ["spec", "list"], {
    directory: refused("A server serves one workspace: leave directory out."),
  }),
  row("spec", "diff", ["spec", "diff"], { target: "from_revision", limit: always }),
  row("spec", "completeness-check", ["spec", "validate"]),
  row(
    "spec",
    "duplicate-detection",
    "Tasks are not compared for likeness here: look for a title with the action search of spec.",
  ),
  row(
    "spec",
    "recalculate-actual-hours",
    "Sums of hours are not stored in phases here, so there is nothing to recalculate.",
  ),
];

const metadataParameters: Parameters = {
  custom_metadata: "metadata",
  update_metadata: "metadata",
  category: "task_category",
  actual_hours: inMetadata("actual_hours"),
  status_note: inMetadata("status_note"),
  verification_type: inMetadata("verification_type"),
  command: inMetadata("command"),
  complexity: inMetadata("complexity"),
};

const task = [
  row("task", "prepare", ["task", "prepare"], { include_context: always, compact: always }),
  row("task", "next", ["task", "next"], { include_context: always }),
  row("task", "info", ["task", "info"], { include_context: always }),
  row("task", "list", ["task", "query"], {
    status_filter: "status",
    include_completed: only(
      true,
      "Filter by status instead: completed tasks are listed unless status says otherwise.",
    ),
  }),
  row("task", "query", ["task", "query"], { status_filter: "status" }),
  row("task", "hierarchy", ["task", "hierarchy"], { include_metadata: always }),
  row("task", "progress", ["task", "progress"], { include_phases: always, node_id: "task_id" }),
  row("task", "add", ["task", "add"], { task_type: "type", category: "task_category" }),
  row("task", "add-dependency", ["task", "add-dependency"], {
    dependency_type: only("blocked_by", "task_id waits for target_id here: exchange the two for blocks."),
  }),
  row("task", "remove-dependency", ["task", "remove-dependency"], {
    dependency_type: only("blocked_by", "task_id waits for target_id here: exchange the two for blocks."),
  }),
  row("task", "update-estimate", ["task", "update"], {
    hours: "estimated_hours",
    complexity: inMetadata("complexity"),
  }),
  row("task", "update-metadata", ["task", "update"], metadataParameters),
  row(
    "task",
    "add-requirement",
    "Put the requirement into acceptance_criteria with the action update of task.",
  ),
  row(
    "task",
    "metadata-batch",
    "Give one update for each task to the action apply of authoring, which makes all or none.",
  ),
  row("task", "fix-verification-types", ["spec", "fix"]),
  row("task", "prepare-batch", ["task", "prepare-batch"], { token_budget: "max_tokens" }),
  row(
    "task",
    "start-batch",
    ["task", "batch"],
    { task_ids: asOperations(onTask("start"), "task_ids, a list of ids") },
    { atomic: true },
  ),
  row("task", "complete-batch", ["task", "batch"], {
    completions: asOperations(toCompletion, "completions, a list of {task_id, success, completion_note}"),
  }),
  row("task", "reset-batch", ["task", "batch"], {
    task_ids: asOperations(onTask("update-status", { status: "pending" }), "task_ids, a list of ids"),
    threshold_hours: refused("A lease ends by itself when its agent dies: nothing has to be reset by age."),
  }),
  ...without(
    "task",
    [
      ...["session", "session-step", "session-events", "session-config", "gate-waiver"],
      ...["start", "status", "pause", "resume", "rebase", "end", "list", "reset"].map(
        (each) => `session-${each}`,
      ),
      ...["next", "report", "replay", "heartbeat"].map((each) => `session-step-${each}`),
    ],
    noSessions,
  ),
];

/** The lists of notes of a spec that the reference has actions for, with our kinds. */
const noteLists = [
  { add: "assumption-add", list: "assumption-list", kind: "assumption" },
  { add: "constraint-add", list: "constraint-list", kind: "constraint" },
  { add: "risk-add", list: "risk-list", kind: "risk" },
  { add: "question-add", list: "question-list", kind: "question" },
  { add: "success-criterion-add", list: "success-criteria-list", kind: "success-criterion" },
];

const notes = noteLists.flatMap(({ add, list, kind }) => [
  row(
    "authoring",
    add,
    ["authoring", "note-add"],
    { description: "text", assumption_type: always },
    { kind },
  ),
  row("authoring", list, ["authoring", "note-list"], { assumption_type: always }, { kind }),
]);

const authoring = [
  row("authoring", "spec-create", ["authoring", "spec-create"], {
    template: only("empty", noTemplates),
    plan_path: inMetadata("plan_path"),
    plan_review_path: inMetadata("plan_review_path"),
  }),
  row("authoring", "spec-template", ["spec", "schema"], {
    template_action: only("list", noTemplates),
  }),
  row("authoring", "spec-rollback", ["spec", "rollback"], { version: "to_revision" }),
  row("authoring", "phase-add-bulk", ["authoring", "phase-add-bulk"], {
    metadata_defaults: withDefaults,
  }),
  row("authoring", "revision-add", ["authoring", "note-add"], { changelog: "changes" }, { kind: "revision" }),
  ...notes,
];

const review = [
  row("review", "spec", ["review", "prepare"]),
  row("review", "fidelity", ["review", "prepare"], { phase_id: "task_id" }),
  ...["list-tools", "list-plan-tools"].map((action) => row("review", action, ["provider", "list"])),
  ...without("review", ["fidelity-gate", "parse-feedback"], noJudge),
  row("plan", "review", noJudge),
];

const research = [
  row("research", "deep-research", ["research", "start"], {
    query: "question",
    deep_research_action: only("start", "Use the actions resume and cancel of research."),
    max_sources_per_query: "max_sources",
  }),
  ...["status", "report", "list", "delete"].map((action) =>
    row("research", `deep-research-${action}`, ["research", action]),
  ),
  ...without(
    "research",
    ["chat", "consensus", "thinkdeep", "ideate", "thread-list", "thread-get", "thread-delete", "extract"],
    noModels,
  ),
  ...without("research", ["node-execute", "node-record", "node-status", "node-findings"], noModels),
];

const others = [
  row("verification", "execute", ["verification", "execute"], {
    command: refused(
      "Commands run without a shell here: give the program and its arguments as argv, a list.",
    ),
  }),
  // What is listed is available.
  row("provider", "list", ["provider", "list"], { include_unavailable: always }),
  ...without("provider", ["status", "execute"], noModels),
  ...without("error", ["list", "get", "stats", "patterns", "cleanup"], noErrorLog),
];

/** The calls that users of the Python foundry-mcp make, and what answers them. */
export const referenceCalls: readonly CompatibleCall[] = [
  ...health,
  ...server,
  ...environment,
  ...spec,
  ...task,
  ...authoring,
  ...review,
  ...research,
  ...others,
];
