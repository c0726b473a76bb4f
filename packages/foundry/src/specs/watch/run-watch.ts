import { runLines } from "./run-lines.ts";
import { runScreen } from "./run-screen.ts";
import type { WatchOptions } from "./watch-options.ts";

/** Watches specs until it is ended: a view on a terminal, else a line of JSON for each change. */
export async function runWatch(options: WatchOptions): Promise<void> {
  const { stdout, env } = options;
  // Watching the files keeps no process alive.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    await (stdout.isTTY && env["TERM"] !== "dumb" ? runScreen(options) : runLines(options));
  } finally {
    clearInterval(alive);
  }
}
