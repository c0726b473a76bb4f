import type { Scenario } from "./read-checks.ts";
import type { Counts, Suite } from "./suites.ts";

/** What came of one run. */
export interface Verdict {
  readonly suite: Suite;
  readonly scored: Counts;
  readonly notScored: Counts;
  /** Why it is not good enough; empty when it is. */
  readonly faults: readonly string[];
}

/** Holds what a suite found against what it must find. */
export function judge(suite: Suite, scenarios: readonly Scenario[], said: string): Verdict {
  const held = new Set([...suite.pending, ...namesNotScored(said)]);
  const scored = scenarios.filter(({ name }) => !held.has(name));
  const notScored = scenarios.filter(({ name }) => held.has(name));
  const faults = scored.flatMap(({ name, passed, failed, remarks }) => {
    if (failed === 0 && passed > 0) return [];
    return remarks.length === 0
      ? [`${name}: nothing was checked`]
      : remarks.map((remark) => `${name}: ${remark}`);
  });
  const verdict = { suite, scored: count(scored), notScored: count(notScored) };
  const short = [
    ...shortfalls("scored", verdict.scored, suite.scored),
    ...shortfalls("not scored", verdict.notScored, suite.notScored),
  ];
  return { ...verdict, faults: [...faults, ...short] };
}

/** The suite ends with the scenarios that it ran and does not count: `  ✗ tasks-lifecycle (extension)`. */
function namesNotScored(said: string): string[] {
  const [, list = ""] = said.split(/^Not scored for .*$/m);
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
