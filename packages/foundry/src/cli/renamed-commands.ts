/** Commands of three words and commands of earlier versions, with the words that replace them. */
const renamed: readonly (readonly [old: string, current: string])[] = [
  ["modify task add", "modify add-task"],
  ["modify task remove", "modify remove-task"],
  ["modify phase add", "modify add-phase"],
  ["modify phase update", "modify update-phase"],
  ["modify phase move", "modify move-phase"],
  ["modify phase remove", "modify remove-phase"],
  ["modify assumption", "modify add-note --kind assumption"],
  ["modify revision", "modify add-note --kind revision"],
];

/** Replaces a renamed command by its current words; options may stand before it. */
export function replaceRenamedCommand(argv: readonly string[]): readonly string[] {
  for (const [old, current] of renamed) {
    const words = old.split(" ");
    const at = argv.findIndex((_, index) => words.every((word, offset) => argv[index + offset] === word));
    if (at === -1 || argv.slice(0, at).includes("--")) continue;
    return argv.toSpliced(at, words.length, ...current.split(" "));
  }
  return argv;
}
