import type { UnknownRecord } from "@foundry-mcp/contract";
import { always, either, limited, only, refused, specOfPath, toleratedWhenListed } from "./parameters.ts";
import { row } from "./row.ts";

// Every change creates a revision in the history, so a backup always exists, even if the call requests none.
const keepsHistory = always;

const unfiltered =
  "The action history of spec has no filters: it lists all revisions, newest first. To filter journal entries by their type, use the action list of journal.";

const notFiltered = toleratedWhenListed(refused(unfiltered));

/** The other side of a comparison, which is an earlier revision of the same spec. */
const ofRevision = limited("a revision of the spec", (value) =>
  typeof value === "string" && /-\d{4}-\d{2}-\d{2}-\d{3}$/.test(value)
    ? "Two specs cannot be compared: give a revision of this spec, which the action history of spec lists."
    : { from_revision: value },
);

/** Calls of the tool `spec` of the Python server. */
export const specCalls = [
  row("spec", "list", ["spec", "list"], {
    include_progress: always,
    status: either("all", {}, (status) => ({ status })),
  }),
  row("spec", "validate", ["spec", "validate"], {
    path: specOfPath,
    auto_fix: only(false, "The action validate changes nothing: use the action fix of spec."),
  }),
  row("spec", "fix", ["spec", "fix"], { path: specOfPath, create_backup: keepsHistory, auto_fix: always }),
  row("spec", "validate-fix", ["spec", "fix"], {
    path: specOfPath,
    create_backup: keepsHistory,
    // With `auto_fix: false`, the call is a dry run that lists the possible repairs.
    auto_fix: either(false, { dry_run: true }, () => ({})),
  }),
  row("spec", "stats", ["spec", "stats"], { path: specOfPath }),
  {
    ...row("spec", "analyze-deps", ["spec", "analyze-deps"], {
      path: specOfPath,
      limit: toleratedWhenListed(refused("All bottlenecks are listed. Leave out limit.")),
    }),
    warn: ({ limit }: UnknownRecord) =>
      limit === undefined ? undefined : "All bottlenecks are listed: limit selects nothing",
  },
  row("spec", "analyze", ["spec", "list"]),
  row("spec", "schema-export", ["spec", "schema"]),
  {
    ...row("spec", "history", ["spec", "history"], {
      since: notFiltered,
      until: notFiltered,
      entry_type: notFiltered,
    }),
    warn: ({ since, until, entry_type: kind }: UnknownRecord) =>
      [since, until, kind].every((each) => each === undefined) ? undefined : unfiltered,
  },
  row("spec", "diff", ["spec", "diff"], {
    target: ofRevision,
    compare_to: ofRevision,
    limit: always,
  }),
  row("spec", "completeness-check", ["spec", "validate"], { path: specOfPath }),
  row(
    "spec",
    "apply-plan",
    "A server does not read changes from a file. Pass the changes as operations to the action apply of authoring, which applies either all or none.",
  ),
  row(
    "spec",
    "duplicate-detection",
    "Foundry does not search for similar tasks. Search for a title with the action search of spec.",
  ),
  {
    ...row("spec", "recalculate-actual-hours", ["spec", "stats"], { dry_run: always }),
    warn: () => "Phases store no sums of hours, so nothing is recalculated",
  },
];
