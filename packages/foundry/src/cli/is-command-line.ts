/** Options of commands that take no value. The word after such an option may be a command. */
const flags = new Set(["--human", "--json"]);
const asks = new Set(["--help", "-h", "--version", "-v", "-V"]);

/**
 * Returns true if the words name a command, or request help or the version. Otherwise, `foundry-mcp` starts the
 * server. A word after an option may be its value, because all options of the server take a value.
 */
export function isCommandLine(argv: readonly string[]): boolean {
  const isOption = (word: string) => word.startsWith("-");
  return argv.some((word, at) => {
    if (isOption(word)) return asks.has(word);
    const before = argv[at - 1];
    return before === undefined || !isOption(before) || flags.has(before) || before.includes("=");
  });
}
