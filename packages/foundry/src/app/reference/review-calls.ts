import type { UnknownRecord } from "@foundry-mcp/contract";
import { always, ignored, refused } from "./parameters.ts";
import { row, without } from "./row.ts";

const noJudge =
  "Foundry does not review work with a model. Get the review bundle with the action prepare of review, review it, and record the verdict with the action add.";

/** Parameters that select something which the review bundle has always, or never, each with the fact. */
const selections: Readonly<Record<string, string>> = {
  base_branch: "The diff begins at the state before the work: base_branch selects nothing.",
  include_tests: "The review bundle has the diff of the files of the work: include_tests selects nothing.",
  files: "The review bundle has all files of the task or of the spec: files selects nothing.",
  incremental: "The review bundle has the whole work: incremental selects nothing.",
  ai_provider: "No model is consulted, so ai_provider selects nothing: review the bundle.",
  ai_tools: "No model is consulted, so ai_tools selects nothing: review the bundle.",
  model: "No model is consulted, so model selects nothing: review the bundle.",
  consensus_threshold: "No model is consulted, so consensus_threshold selects nothing: review the bundle.",
};

const review = ["spec", "spec-review", "fidelity"].map((action) => ({
  ...row("review", action, ["review", "prepare"], {
    phase_id: "task_id",
    // This server writes nothing and does not wait for a model, so these parameters change nothing.
    dry_run: always,
    ai_timeout: always,
    consultation_cache: always,
    review_type: always,
    ...Object.fromEntries(Object.keys(selections).map((name) => [name, ignored])),
  }),
  warn: (given: UnknownRecord) =>
    Object.entries(selections)
      .filter(([name]) => given[name] !== undefined && given[name] !== false)
      .map(([, sentence]) => sentence)
      .join(" ") || undefined,
}));

/** Calls of the Python server that request a review or a verification. */
export const reviewCalls = [
  ...review,
  ...["list-tools", "list-plan-tools"].map((action) => row("review", action, ["provider", "list"])),
  ...without("review", ["fidelity-gate", "parse-feedback"], noJudge),
  ...without("plan", ["review"], noJudge),
  ...without("research", ["deep-research-evaluate"], noJudge),
  row("verification", "execute", ["verification", "execute"], {
    command: refused(
      "Commands run without a shell here: give the program and its arguments as argv, a list.",
    ),
  }),
];
