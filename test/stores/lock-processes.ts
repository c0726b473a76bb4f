import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A process that uses the lock, with its output. */
export interface LockProcess {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** Returns the next line of the output that was not returned yet. */
  next(): Promise<string>;
  /**
   * Resolves to the exit code, or to null if the process was killed. It resolves when the process has ended and its
   * whole output is in `lines`.
   */
  readonly ended: Promise<number | null>;
  kill(): Promise<void>;
}

const script = fileURLToPath(new URL("../../.build/test/stores/lock-worker.js", import.meta.url));
const running = new Set<LockProcess>();

/** Starts a worker. `wrap` is a command that runs the worker. */
export function startLockProcess(args: readonly string[], wrap: readonly string[] = []): LockProcess {
  if (!existsSync(script))
    throw new Error(`Cannot start ${script}: it is missing. Run "npm run build" first.`);
  const [command = "", ...rest] = [...wrap, process.execPath, script, ...args];
  const child = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] });
  const lines: string[] = [];
  let asked = 0;
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line));
  let isOver = false;
  const ended = Promise.all([once(child, "exit"), once(reader, "close")]).then(([[code]]) => {
    isOver = true;
    running.delete(self);
    return code as number | null;
  });
  const self: LockProcess = {
    child,
    lines,
    async next() {
      while (lines[asked] === undefined) {
        if (isOver) throw new Error(`${args[0]} has ended and says nothing more`);
        await Promise.race([once(reader, "line"), ended]);
      }
      return lines[asked++] ?? "";
    },
    ended,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
  running.add(self);
  return self;
}

/** Ends the processes that a test has started but not ended. */
export async function endLockProcesses(): Promise<void> {
  await Promise.all([...running].map((process) => process.kill()));
}
