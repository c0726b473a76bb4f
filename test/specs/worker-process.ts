import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A script of this folder in a separate process. Its output is one JSON value per line. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  readonly lines: readonly unknown[];
  /** Returns the next value of the output that was not returned yet. */
  next(): Promise<unknown>;
  /**
   * Resolves to the exit code, or to null if the process was killed. It resolves when the process has ended and its
   * whole output is in `lines`.
   */
  readonly ended: Promise<number | null>;
}

/** Starts a compiled script of this folder. */
export function startWorker(name: string, args: readonly string[]): WorkerProcess {
  const script = fileURLToPath(new URL(`../../.build/test/specs/${name}.js`, import.meta.url));
  if (!existsSync(script))
    throw new Error(`Cannot start ${script}: it is missing. Run "npm run build" first.`);
  const child = spawn(process.execPath, [script, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.on("error", () => {});
  const lines: unknown[] = [];
  let asked = 0;
  let isOver = false;
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => {
    // A killed process may leave an incomplete line, which is ignored.
    if (isJson(line)) lines.push(JSON.parse(line));
  });
  const ended = Promise.all([once(child, "exit"), once(reader, "close")]).then(([[code]]) => {
    isOver = true;
    return code as number | null;
  });
  return {
    child,
    lines,
    ended,
    async next() {
      while (lines.length <= asked) {
        if (isOver) throw new Error(`${name} ${args[0]} has ended and says nothing more`);
        await Promise.race([once(reader, "line"), ended]);
      }
      return lines[asked++];
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
