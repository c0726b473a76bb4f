import { readFileSync } from "node:fs";
import { afterAll, expect, TestRunner, vi } from "vitest";

// Test files share a process, so each file must restore its state: clocks, variables, globals, folder and loaded
// modules.
const env = { ...process.env };
const cwd = process.cwd();

// A loaded module keeps its imports. The module is loaded again for a file with mocks, and once more for the next
// file.
const { filepath } = TestRunner.getCurrentSuite().file;
const hasMocks = readFileSync(filepath, "utf8").includes("vi.mock(");
if (hasMocks) vi.resetModules();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  if (hasMocks) vi.resetModules();
  // Only names are compared, because a value may be a secret of the machine.
  const variables = Object.keys({ ...env, ...process.env }).filter((name) => process.env[name] !== env[name]);
  expect({ variables, cwd: process.cwd() }, "what the test file left changed").toEqual({
    variables: [],
    cwd,
  });
});
