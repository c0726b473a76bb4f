import type { Scenario } from "./read-checks.ts";
import type { Counts, Suite } from "./suites.ts";

/** The result of one run of a suite. */
export interface Verdict {
  readonly suite: Suite;
  readonly scored: Counts;
  readonly notScored: Counts;
  /** The reasons why the run failed. The list is empty if the run passed. */
  readonly faults: readonly string[];
}

/** Compares the scenarios of a run with the counts that its suite must reach. */
export function judge(suite: Suite, scenarios: readonly Scenario[], output: string): Verdict {
  const unscored = new Set([...suite.pending, ...namesNotScored(output)]);
  const scored = scenarios.filter(({ name }) => !unscored.has(name));
  const notScored = scenarios.filter(({ name }) => unscored.has(name));
  const faults = scenarios.flatMap(({ name, passed, failed, remarks }) => {
    // A scenario that is not scored may check nothing, such as one whose checks are all skipped.
    if (failed === 0 && (passed > 0 || unscored.has(name))) return [];
    return remarks.length === 0
      ? [`${name}: nothing was checked`]
      : remarks.map((remark) => `${name}: ${remark}`);
  });
  const verdict = { suite, scored: count(scored), notScored: count(notScored) };
  const missing = [
    ...shortfalls("scored", verdict.scored, suite.scored),
    ...shortfalls("not scored", verdict.notScored, suite.notScored),
  ];
  return { ...verdict, faults: [...faults, ...missing] };
}

/** Parses the scenarios that the suite lists as not scored at the end: `  ✗ tasks-lifecycle (extension)`. */
function namesNotScored(output: string): string[] {
  const [, list = ""] = output.split(/^Not scored for .*$/m);
  return [...list.matchAll(/^ {2}\S (\S+) \(/gm)].map(([, name = ""]) => name);
}

function count(scenarios: readonly Scenario[]): Counts {
  const sum = (key: "passed" | "failed") => scenarios.reduce((total, each) => total + each[key], 0);
  return { scenarios: scenarios.length, passed: sum("passed"), failed: sum("failed") };
}

function shortfalls(kind: string, found: Counts, wanted: Omit<Counts, "failed">): string[] {
  return (["scenarios", "passed"] as const)
    .filter((key) => found[key] < wanted[key])
    .map((key) => `${kind}: ${found[key]} ${key}, wanted ${wanted[key]}`);
}
