import { describe, expect, it } from "vitest";
import { judge } from "./judge.ts";
import type { Scenario } from "./read-checks.ts";
import type { Suite } from "./suites.ts";

const suite: Suite = {
  title: "a suite",
  package: "conformance-2026",
  args: [],
  pending: ["unscored"],
  scored: { scenarios: 2, passed: 3 },
  notScored: { scenarios: 2, passed: 1 },
};
const scenario = (name: string, passed: number, failed = 0, remarks: string[] = []): Scenario => ({
  name,
  passed,
  failed,
  remarks,
});
const output = [
  "Total: 4 passed, 2 failed",
  "",
  "Not scored for 2026-07-28: 1 scenario(s) run, 1 failing. These do not affect conformance.",
  "  ✗ extra (extension)",
].join("\n");
const notScored = [scenario("unscored", 1), scenario("extra", 0)];

describe("judge", () => {
  it("finds no fault where all scored checks pass", () => {
    const verdict = judge(suite, [scenario("a", 1), scenario("b", 2), ...notScored], output);
    expect(verdict.faults).toEqual([]);
    expect(verdict.scored).toEqual({ scenarios: 2, passed: 3, failed: 0 });
    expect(verdict.notScored).toEqual({ scenarios: 2, passed: 1, failed: 0 });
  });

  it("reports a failed check that is not scored", () => {
    const extra = scenario("extra", 0, 2, ["FAILURE x: y"]);
    const verdict = judge(
      suite,
      [scenario("a", 1), scenario("b", 2), scenario("unscored", 1), extra],
      output,
    );
    expect(verdict.faults).toEqual(["extra: FAILURE x: y"]);
    expect(verdict.notScored).toEqual({ scenarios: 2, passed: 1, failed: 2 });
  });

  it("reports a failed check", () => {
    const failed = scenario("b", 2, 1, ["FAILURE id: why"]);
    expect(judge(suite, [scenario("a", 1), failed, ...notScored], output).faults).toEqual([
      "b: FAILURE id: why",
    ]);
  });

  it("fails a scenario without checks", () => {
    const verdict = judge(suite, [scenario("a", 3), scenario("b", 0), ...notScored], output);
    expect(verdict.faults).toEqual(["b: nothing was checked"]);
  });

  it("reports missing scenarios and checks", () => {
    expect(judge(suite, [scenario("a", 1), ...notScored], output).faults).toEqual([
      "scored: 1 scenarios, wanted 2",
      "scored: 1 passed, wanted 3",
    ]);
    expect(judge(suite, [scenario("a", 1), scenario("b", 2)], "").faults).toEqual([
      "not scored: 0 scenarios, wanted 2",
      "not scored: 0 passed, wanted 1",
    ]);
  });

  it("counts scenarios that the suite does not list as not scored", () => {
    const verdict = judge(suite, [scenario("a", 1), scenario("b", 2), ...notScored], "no list");
    expect(verdict.faults).toContain("extra: nothing was checked");
  });
});
