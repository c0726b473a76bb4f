import type { ChildProcess } from "node:child_process";

/** Groups of processes are of POSIX; on Windows the program alone is ended, and what it started is left. */
export const hasGroups = process.platform !== "win32";

/** Sends a signal to a program and to everything that it started and that did not leave its group. */
export function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (hasGroups) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has ended by itself.
  }
}

/** Programs that have not been seen to end: when this process exits, they must not stay behind. */
const kept = new Set<ChildProcess>();

/** Has a program end with this process at the latest. */
export function keep(child: ChildProcess): void {
  if (kept.size === 0) process.on("exit", endKept);
  kept.add(child);
}

/** Forgets a program that has ended. */
export function release(child: ChildProcess): void {
  kept.delete(child);
  if (kept.size === 0) process.off("exit", endKept);
}

/** Nothing waits any more when the process exits, so nobody is asked. */
function endKept(): void {
  for (const child of kept) endGroup(child, "SIGKILL");
}
