/** Programs that run another program, which their first operand names. */
const runners = /^(node|npx|npm|pnpm|yarn|bun|bunx|deno|uv|uvx|pipx|python[\d.]*|tsx)(\.(exe|cmd))?$/;
/** Words between a runner and the program: `uv run`, `npm exec`, `pnpm dlx`. */
const verbs: readonly string[] = ["run", "exec", "x", "dlx", "tool"];

/** Returns a name for the server that a command starts: its program, or what a runner such as npx runs. */
export function nameOfCommand([program = "server", ...args]: readonly string[]): string {
  const name = toBaseName(program);
  if (!runners.test(name)) return name;
  const word = args.find((each) => !each.startsWith("-") && !verbs.includes(each));
  return word === undefined ? name : toBaseName(word);
}

function toBaseName(path: string): string {
  return path.split(/[\\/]/).at(-1) || path;
}
