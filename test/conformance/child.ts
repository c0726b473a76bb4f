import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const running = new Set<ChildProcess>();

/** Starts this Node with a script; whatever becomes of the run, the process does not outlive it. */
export function startNode(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Ends a process and waits until it is gone; one that does not go is killed. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const last = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await gone;
  clearTimeout(last);
}

process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
