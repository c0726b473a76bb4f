/** Commands by names that they had elsewhere, or of three words, and what they are called here. */
const renamed: readonly (readonly [written: string, present: string])[] = [
  ["modify task add", "modify add-task"],
  ["modify task remove", "modify remove-task"],
  ["modify phase add", "modify add-phase"],
  ["modify phase update", "modify update-phase"],
  ["modify phase move", "modify move-phase"],
  ["modify phase remove", "modify remove-phase"],
  ["modify assumption", "modify add-note --kind assumption"],
  ["modify revision", "modify add-note --kind revision"],
];

/** The words of a command line with its command by its present name; options may stand before it. */
export function toPresentWords(argv: readonly string[]): readonly string[] {
  for (const [written, present] of renamed) {
    const words = written.split(" ");
    const at = argv.findIndex((_, index) => words.every((word, offset) => argv[index + offset] === word));
    if (at === -1 || argv.slice(0, at).includes("--")) continue;
    return argv.toSpliced(at, words.length, ...present.split(" "));
  }
  return argv;
}
