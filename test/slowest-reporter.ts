import type { Reporter, TestModule } from "vitest/node";
import { root } from "./source-files.ts";

/** The number of files that are named. */
const named = 10;
/** Runs of fewer files are those of a person who works on these files. */
const fewest = 20;

/** A test file, and its time in milliseconds. */
export interface FileTime {
  readonly path: string;
  readonly milliseconds: number;
}

/** Returns the lines that name the slowest test files. */
export function describeSlowest(times: readonly FileTime[]): readonly string[] {
  const sum = times.reduce((total, { milliseconds }) => total + milliseconds, 0);
  const slowest = times.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, named);
  const toSeconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`.padStart(8);
  return [
    `The slowest ${slowest.length} of ${times.length} test files, which took ${toSeconds(sum).trim()} together:`,
    ...slowest.map(({ path, milliseconds }) => `${toSeconds(milliseconds)}  ${path}`),
  ];
}

/** Names the slowest test files at the end of a whole run, so that a file that became slow is seen. */
export class SlowestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < fewest) return;
    const times = modules.map((module) => {
      const { duration, collectDuration } = module.diagnostic();
      return { path: module.moduleId.replace(root, ""), milliseconds: duration + collectDuration };
    });
    process.stdout.write(`\n${describeSlowest(times).join("\n")}\n`);
  }
}
