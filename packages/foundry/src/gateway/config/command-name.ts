/** Programs that run another program. The other program is their first operand, as in `npx some-server`. */
const runners = /^(node|npx|npm|pnpm|yarn|bun|bunx|deno|uv|uvx|pipx|python[\d.]*|tsx)(\.(exe|cmd))?$/;
/** Subcommands that a runner takes before the program, as in `uv run`, `npm exec` and `pnpm dlx`. */
const verbs: readonly string[] = ["run", "exec", "x", "dlx", "tool"];

/**
 * Returns a name for the server that a command starts. The name is the program, or, if the program is a runner such as
 * npx, the program that the runner starts.
 */
export function nameOfCommand([program = "server", ...args]: readonly string[]): string {
  const name = toBaseName(program);
  if (!runners.test(name)) return name;
  const word = args.find((each) => !each.startsWith("-") && !verbs.includes(each));
  return word === undefined ? name : toBaseName(word);
}

function toBaseName(path: string): string {
  return path.split(/[\\/]/).at(-1) || path;
}
