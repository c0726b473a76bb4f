import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The configuration of separate runs. engines.prove.test.ts examines the effects and the output of such a run. */
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
