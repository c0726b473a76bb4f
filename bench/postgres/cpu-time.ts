import { readFileSync } from "node:fs";
import { childrenOf } from "../../test/postgres/processes.ts";

/** Linux counts the time of processes in hundredths of a second, whatever its own clock. */
const tickMs = 10;

/** Milliseconds of CPU that processes have used so far; not a number where the system does not tell. */
export function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid, 2) * tickMs, 0);
}

/** The same of a process and its children, with those that have ended. */
export async function cpuOfFamily(parent: number): Promise<number> {
  return cpuOf(await childrenOf(parent)) + ticksOf(parent, 4) * tickMs;
}

/** What a process has caused to be written to a disk. */
export function bytesWritten(pid: number): number {
  try {
    return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
  } catch {
    return Number.NaN;
  }
}

/** User and system time of a process, and with four fields that of its children that have ended. */
function ticksOf(pid: number, fields: 2 | 4): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Behind the name of the program, which may hold blanks and brackets.
    const values = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return values.slice(11, 11 + fields).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch (error) {
    // It ended between the look at the list and this one: its parent has the time.
    return (error as NodeJS.ErrnoException).code === "ENOENT" && process.platform === "linux"
      ? 0
      : Number.NaN;
  }
}
