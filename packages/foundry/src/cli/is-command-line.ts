const asks = new Set(["--help", "-h", "--version", "-v", "-V"]);

/**
 * True for words that name a command, or that ask for help or the version; without them `foundry-mcp` is the server.
 * A word after an option may be its value: the server's options all take one.
 */
export function isCommandLine(argv: readonly string[]): boolean {
  const isOption = (word: string) => word.startsWith("-");
  return argv.some((word, at) => {
    if (isOption(word)) return asks.has(word);
    const before = argv[at - 1];
    return before === undefined || !isOption(before) || before.includes("=");
  });
}
