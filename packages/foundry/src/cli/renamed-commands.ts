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
