import { referenceCalls } from "../app/reference/reference-calls.ts";

const noConsultation =
  "Foundry does not consult models. Get the review bundle with review prepare, review it, and record the verdict with review add.";
const noBase =
  "The diff of a review begins at the state before the work. Leave out --base-branch, or compare with git diff.";
const noIncrement = "A review bundle has the whole work. Leave out --incremental.";
const noSessions =
  "There are no autonomous sessions. An agent claims a task with tasks next --claim; if the agent dies, its lease expires.";
const noTemplates =
  "Foundry has no spec templates. Create an empty spec and add phases with modify add-phase, or write the spec as Markdown and use specs import.";

/** Calls of the Python server that are refused, written as commands of the tool, with the same reasons. */
const refusedCalls: Readonly<Record<string, string>> = Object.fromEntries(
  referenceCalls.flatMap(({ tool, action, to }) =>
    typeof to === "string" ? [[`${tool} ${action}`, to]] : [],
  ),
);

/**
 * Commands and options of the Python command line that this program refuses. The text is the reason, and what to do
 * instead.
 */
export const refusedWords: Readonly<Record<string, string>> = {
  session: noSessions,
  run: noSessions,
  stop: noSessions,
  cache: "Foundry does not consult models, so it has no cache of consultations to list or clear.",
  audit:
    "The commands journal list and specs history list the changes of a spec. There is no other audit log.",
  dev: "The development commands are npm scripts of the repository. CONTRIBUTING.md lists them.",
  health: "Ask the server with server health, or check the workspace with doctor.",
  provider: "Models are not listed. The setting that config get model prints names the model of research.",
  environment:
    "Check the workspace with doctor, create one with init, and list the settings with config list.",
  "review tools": noConsultation,
  "review plan-tools": noConsultation,
  "plan review": noConsultation,
  "review fidelity --base-branch": noBase,
  "review prepare --base-branch": noBase,
  "review fidelity --incremental": noIncrement,
  "review prepare --incremental": noIncrement,
  "specs create --template": noTemplates,
  "specs template": `${noTemplates} Only specs template list is answered, with the allowed values of specs schema.`,
  "modify assumption --type":
    "Assumptions have no types here. Leave out --type, or name the type in the text.",
  "modify add-note --type": "Assumptions have no types here. Leave out --type, or name the type in the text.",
  "validate report -s": "The report has no sections. Leave out -s. For the numbers, use validate stats.",
  "validate report --sections":
    "The report has no sections. Leave out --sections. For the numbers, use validate stats.",
  "validate analyze-deps --limit":
    "All bottlenecks are listed. Leave out --limit, or raise --bottleneck-threshold.",
  "watch -n":
    "Changes are shown as they happen. Leave out -n. To stop after a number of changes, use --count.",
  "watch --events":
    "Every change is shown. Leave out --events. To stop after a number of changes, use --count.",
};

/** The reasons for refusing commands and options, by the words of the command or option. */
export const refusals: Readonly<Record<string, string>> = { ...refusedCalls, ...refusedWords };
