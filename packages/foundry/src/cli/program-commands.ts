import { Command, InvalidArgumentError } from "commander";
import type { CommandPlace } from "./own-commands.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The command that shows specs as they change, until it is ended. */
export function watchCommand({ load, cwd }: Pick<CommandPlace, "load" | "cwd">): Command {
  return new Command("watch")
    .description("See specs change: a live view, or into a pipe a line of JSON for each change")
    .argument("[spec_id]", "Only this spec")
    .option("--count <n>", "End after so many lines; a live view ends with q", parseCount)
    .action(async (specId: string | undefined, { count }: { readonly count?: number }) => {
      const [{ runWatch }, { openWorkspace }] = await Promise.all([
        import("../specs/watch/run-watch.ts"),
        import("../app/open-workspace.ts"),
      ]);
      const workspace = openWorkspace(load, cwd);
      const ending = new AbortController();
      const end = () => ending.abort();
      for (const name of signals) process.on(name, end);
      try {
        await runWatch({
          store: await workspace.store(),
          specId,
          count,
          stdout: process.stdout,
          stdin: process.stdin,
          env: process.env,
          signal: ending.signal,
          now: () => new Date().toISOString(),
          onReady: () => process.stderr.write("Watching; a line for each change. Ctrl-C ends.\n"),
        });
      } finally {
        for (const name of signals) process.off(name, end);
        await workspace.close();
      }
    });
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new InvalidArgumentError("It must be a whole number from 1 on.");
  return count;
}
