import { toBulkTasks } from "./bulk-tasks.ts";
import {
  always,
  anyField,
  confirmedDryRun,
  inMetadata,
  inPhase,
  only,
  phaseWithoutDefaults,
} from "./parameters.ts";
import { countedFromOne, row } from "./row.ts";

const noTemplates = "Foundry has no spec templates. Pass the phases to the action spec-create of authoring.";

/** The lists of notes of a spec for which the Python server has actions, with the kinds of notes of this server. */
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

/** Calls of the tool `authoring` of the Python server. */
export const authoringCalls = [
  row("authoring", "spec-create", ["authoring", "spec-create"], {
    template: only("empty", noTemplates),
    plan_path: inMetadata("plan_path"),
    plan_review_path: inMetadata("plan_review_path"),
  }),
  row("authoring", "spec-template", ["spec", "schema"], {
    template_action: only("list", noTemplates),
  }),
  ...["spec-update-frontmatter", "update-frontmatter"].map((action) =>
    row("authoring", action, ["authoring", "spec-update"], anyField),
  ),
  row("authoring", "spec-rollback", ["spec", "rollback"], {
    version: "to_revision",
    dry_run: confirmedDryRun,
  }),
  row("authoring", "phase-remove", ["authoring", "phase-remove"], { dry_run: confirmedDryRun }),
  countedFromOne("authoring", "phase-move"),
  row("authoring", "phase-add-bulk", ["authoring", "phase-add-bulk"], {
    phase: phaseWithoutDefaults,
    tasks: toBulkTasks,
    metadata_defaults: toBulkTasks,
    position: inPhase("position"),
    link_previous: inPhase("link_previous"),
  }),
  row("authoring", "task-add", ["task", "add"], { phase_id: "parent", task_type: "type" }),
  row("authoring", "task-remove", ["task", "remove"], { dry_run: confirmedDryRun }),
  row("authoring", "revision-add", ["authoring", "note-add"], { changelog: "changes" }, { kind: "revision" }),
  ...notes,
];
