import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { root } from "./source-files.ts";

/** The list of the test files that failed in the last run, one in each line. It is missing if the run did not end. */
export const failedFilesPath = join(root, ".build/failed-tests.txt");

/** Lists the test files that failed, so that `.ci/run` can repeat them. */
export class FailedFilesReporter implements Reporter {
  onTestRunStart(): void {
    rmSync(failedFilesPath, { force: true });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    // An error outside of the tests belongs to no file, so no file can be repeated for it.
    if (errors.length > 0) return;
    const failed = modules.filter((module) => !module.ok()).map(({ moduleId }) => moduleId.replace(root, ""));
    mkdirSync(dirname(failedFilesPath), { recursive: true });
    writeFileSync(failedFilesPath, failed.map((path) => `${path}\n`).join(""));
  }
}
