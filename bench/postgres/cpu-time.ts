import { readFileSync } from "node:fs";
import { childrenOf } from "../../test/postgres/processes.ts";

/** Linux counts the CPU time of processes in hundredths of a second, regardless of the kernel's timer frequency. */
const tickMs = 10;

/**
 * Returns the milliseconds of CPU that processes have used so far, or NaN if the system does not provide this number.
 */
export function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid, 2) * tickMs, 0);
}

/** Returns the CPU time of a process and its children, including children that have ended. */
export async function cpuOfFamily(parent: number): Promise<number> {
  return cpuOf(await childrenOf(parent)) + ticksOf(parent, 4) * tickMs;
}

/** Returns the number of bytes that a process has caused to be written to a disk. */
export function bytesWritten(pid: number): number {
  try {
    return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
  } catch {
    return Number.NaN;
  }
}

/**
 * Returns the user and system time of a process. With four fields, also returns the times of its children that have
 * ended.
 */
function ticksOf(pid: number, fields: 2 | 4): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The fields follow the name of the program, which may contain spaces and brackets.
    const values = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return values.slice(11, 11 + fields).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch (error) {
    // The process ended after it was listed. Its time is included in the time of its parent process.
    return (error as NodeJS.ErrnoException).code === "ENOENT" && process.platform === "linux"
      ? 0
      : Number.NaN;
  }
}
