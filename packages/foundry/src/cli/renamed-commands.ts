import { referenceCalls } from "../app/reference/reference-calls.ts";

/** Commands of the Python command line and of earlier versions, with the current words. */
const renamed: readonly (readonly [old: string, current: string])[] = [
  ["modify task add", "modify add-task"],
  ["modify task remove", "modify remove-task"],
  ["modify phase add", "modify add-phase"],
  ["modify phase update", "modify update-phase"],
  ["modify phase move", "modify move-phase"],
  ["modify phase remove", "modify remove-phase"],
  ["modify assumption", "modify add-note --kind assumption"],
  ["modify revision", "modify add-note --kind revision"],
  ["specs analyze .", "specs find"],
  ["specs analyze", "specs find"],
  ["specs template list", "specs schema"],
  ["specs render", "specs export"],
  ["review spec", "review prepare"],
  ["review fidelity", "review prepare"],
];

/** Options of the Python command line, by command, that request what this program always does. */
const needless: readonly (readonly [command: string, options: string])[] = [
  ["validate fix", "--no-backup"],
  ["tasks info", "--no-context"],
  ["review spec", "--dry-run"],
  ["review fidelity", "--dry-run"],
  ["watch", "--simple"],
  ["specs create", "--template empty"],
  ...["specs find", "specs list"].flatMap((command) => [
    [command, "--status all"] as const,
    [command, "-s all"] as const,
  ]),
  // There is one template for plans.
  ["plan create", "--template simple"],
  ["plan create", "--template detailed"],
];

/** Commands of the Python command line whose dry run needs no confirmation, because it changes nothing. */
const confirmedDryRuns: readonly (readonly [old: string, current: string])[] = [
  ["modify task remove", "modify remove-task"],
  ["modify phase remove", "modify remove-phase"],
];

/** Options of the Python command line that have another name here, by command. */
const renamedOptions: readonly (readonly [command: string, option: string, current: string])[] = [
  ["journal get", "-n", "--limit"],
  ["review fidelity", "--task", "--task-id"],
  ["review fidelity", "--phase", "--task-id"],
  ["review fidelity", "--phase-id", "--task-id"],
];

/** Options of the Python command line that request the work of another command. */
const elsewhere: readonly (readonly [command: string, option: string, current: string])[] = [
  ["tasks info", "--include-context", "tasks prepare"],
];

/**
 * Replaces a renamed command by its current words, and removes unnecessary options. Options may precede a command.
 */
export function replaceRenamedCommand(argv: readonly string[]): readonly string[] {
  const kept = needless.reduce((words, [command, options]) => {
    const at = find(words, command) === -1 ? -1 : find(words, options);
    return at === -1 ? words : words.toSpliced(at, options.split(" ").length);
  }, argv);
  const needed = renamedOptions.reduce((words, [command, option, current]) => {
    const at = find(words, command) === -1 ? -1 : find(words, option);
    return at === -1 ? words : words.toSpliced(at, 1, current);
  }, kept);
  const isDryRun = find(needed, "--dry-run") !== -1 && find(needed, "--confirm") === -1;
  const removal = confirmedDryRuns.find(([command]) => isDryRun && find(needed, command) !== -1);
  if (removal !== undefined) {
    const [old, current] = removal;
    return needed.toSpliced(find(needed, old), old.split(" ").length, ...current.split(" "), "--confirm");
  }
  for (const [old, option, current] of elsewhere) {
    const [at, place] = [find(needed, old), find(needed, option)];
    if (at !== -1 && place !== -1)
      return needed.toSpliced(place, 1).toSpliced(at, old.split(" ").length, ...current.split(" "));
  }
  for (const [old, current] of renamed) {
    const at = find(needed, old);
    if (at !== -1) return needed.toSpliced(at, old.split(" ").length, ...current.split(" "));
  }
  return needed;
}

/** Returns the index at which the words occur consecutively before `--`. */
function find(argv: readonly string[], words: string): number {
  const at = argv.findIndex((_, index) =>
    words.split(" ").every((word, offset) => argv[index + offset] === word),
  );
  return argv.slice(0, at === -1 ? 0 : at).includes("--") ? -1 : at;
}

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
