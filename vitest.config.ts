import { defineConfig } from "vitest/config";

const everywhere = ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"];

export default defineConfig({
  test: {
    // One for each core of the smallest machine: most tests wait for processes that they have started.
    maxWorkers: 2,
    // Once for a run, whatever its projects. It starts nothing before a test asks for a database.
    globalSetup: ["test/postgres/global-setup.ts"],
    projects: [
      {
        test: {
          name: "tests",
          include: everywhere,
          exclude: ["**/*.prove.test.ts", "**/node_modules/**"],
          setupFiles: ["test/setup-properties.ts"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: "prove",
          include: ["packages/*/src/**/*.prove.test.ts", "test/**/*.prove.test.ts"],
          setupFiles: ["test/setup-properties.ts"],
          testTimeout: 600_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
