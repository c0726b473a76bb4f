import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** The state of the process. `Z` is a zombie, which has ended but was not reaped. */
  readonly state: string;
}

/** Returns the processes that a process has started. */
export async function childrenOf(parent: number): Promise<readonly number[]> {
  return (await listProcesses()).filter((process) => process.parent === parent).map(({ pid }) => pid);
}

/**
 * Waits by polling until none of the processes runs. The processes are no longer children of this process, so there
 * is no event.
 */
export async function whenGone(pids: readonly number[]): Promise<void> {
  for (;;) {
    const running = (await listProcesses()).filter(({ state }) => !state.startsWith("Z"));
    if (!running.some(({ pid }) => pids.includes(pid))) return;
    await delay(5);
  }
}

async function listProcesses(): Promise<readonly Process[]> {
  const lines = process.platform === "linux" ? await readProc() : await runPs();
  return lines.map((line) => {
    const [pid, parent, state = ""] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), state };
  });
}

async function runPs(): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,stat="]);
  return stdout.trim().split("\n");
}

/** Reads /proc, because small images have no ps. */
async function readProc(): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = pids.map(async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // These are the fields after the name of the program, which may contain spaces and brackets.
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return `${pid} ${parent} ${state}`;
  });
  return Promise.all(lines);
}
