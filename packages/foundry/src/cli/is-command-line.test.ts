import { expect, it } from "vitest";
import { isCommandLine } from "./is-command-line.ts";

it.each([
  ["", false],
  ["--specs-dir plans", false],
  ["--specs-dir=plans --tools all", false],
  ["--tols all", false],
  ["init", true],
  ["tsaks next", true],
  ["--specs-dir plans tasks next", true],
  ["--specs-dir=plans tasks", true],
  ["--human tasks next", true],
  ["--json doctor", true],
  ["--output json tasks next", true],
  ["--help", true],
  ["-h", true],
  ["--version", true],
  ["-v", true],
  ["--tools all --help", true],
])("foundry-mcp %s: a command line is %s", (line, expected) => {
  expect(isCommandLine(line === "" ? [] : line.split(" "))).toBe(expected);
});
