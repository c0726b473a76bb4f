import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Runs of their own, in which engines.prove.test.ts sees what a run does and says. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    maxWorkers: 2,
    globalSetup: ["../global-setup.ts"],
    projects: [
      { test: { name: "one", include: ["one-*.run.ts"], testTimeout: 60_000 } },
      { test: { name: "two", include: ["two-*.run.ts"], testTimeout: 60_000 } },
    ],
  },
});
