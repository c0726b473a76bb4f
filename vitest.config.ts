import { defineConfig } from "vitest/config";
import { FailedFilesReporter } from "./test/failed-files-reporter.ts";
import { findTimerTests } from "./test/find-timer-tests.ts";
import { SlowFirstSequencer } from "./test/slow-first-sequencer.ts";
import { SlowestReporter } from "./test/slowest-reporter.ts";

const everywhere = ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"];
/** Node loads them as they are: they need no transformation. */
const built = [/\/packages\/\w+\/dist\//];

/** They count the timers of their process, so that no other file may have left one running. */
const countTimers = findTimerTests();

/** They end what hangs. A test on a busy machine takes many times as long as it does alone. */
const limits = (milliseconds: number) => ({
  testTimeout: milliseconds,
  hookTimeout: milliseconds,
  expect: { poll: { timeout: 30_000 } },
});

export default defineConfig({
  test: {
    // One for each core of the smallest machine: most tests wait for processes that they have started.
    maxWorkers: 2,
    // Once for a run, whatever its projects. It starts nothing before a test asks for a database.
    globalSetup: ["test/postgres/global-setup.ts"],
    reporters: ["default", new SlowestReporter(), new FailedFilesReporter()],
    sequence: { sequencer: SlowFirstSequencer },
    projects: [
      {
        test: {
          name: "tests",
          include: everywhere,
          exclude: ["**/*.prove.test.ts", "**/node_modules/**", ...countTimers],
          // Half of the time of a run would be spent on loading the same modules for every file.
          isolate: false,
          server: { deps: { external: built } },
          setupFiles: ["test/setup-properties.ts", "test/setup-shared-process.ts"],
          ...limits(120_000),
        },
      },
      {
        test: {
          name: "tests-alone",
          include: countTimers,
          server: { deps: { external: built } },
          setupFiles: ["test/setup-properties.ts"],
          ...limits(120_000),
        },
      },
      {
        test: {
          name: "prove",
          include: ["packages/*/src/**/*.prove.test.ts", "test/**/*.prove.test.ts"],
          server: { deps: { external: built } },
          setupFiles: ["test/setup-properties.ts"],
          ...limits(600_000),
        },
      },
    ],
  },
});
