import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Point } from "./slope.ts";

/** The resident memory of a process in MB; undefined if the process has ended. */
export function readMemory(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_000;
  } catch {
    return undefined;
  }
}

/** The number of open descriptors of a process; undefined if the process has ended. */
export function countDescriptors(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}

/** The size of all files below a folder in MB. Files that disappear meanwhile are left out. */
export function sizeOfFolder(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stat?.isFile()) bytes += stat.size;
  }
  return bytes / 1e6;
}

/** Returns the 95th percentile of the values in each interval of so many seconds. */
export function toPercentiles(points: readonly Point[], seconds: number): readonly Point[] {
  const groups = new Map<number, number[]>();
  for (const [at, value] of points) {
    const group = Math.floor(at / seconds);
    const known = groups.get(group);
    if (known === undefined) groups.set(group, [value]);
    else known.push(value);
  }
  return [...groups].map(([group, values]): Point => {
    const sorted = values.toSorted((a, b) => a - b);
    return [group * seconds, sorted[Math.floor(sorted.length * 0.95)] ?? 0];
  });
}
