/** The number of scenarios, and of their passed and failed checks. */
export interface Counts {
  readonly scenarios: number;
  readonly passed: number;
  readonly failed: number;
}

/** One run of an official suite, with the counts that it must reach. */
export interface Suite {
  readonly title: string;
  /** The package, as package.json names it. */
  readonly package: string;
  readonly args: readonly string[];
  /** Scenarios that the suite does not score and does not list as such in its output. */
  readonly pending: readonly string[];
  /** The scored checks. None of them may fail, and at least this number must pass. */
  readonly scored: Omit<Counts, "failed">;
  /** The checks that the suite runs but does not score: none may fail either, and at least these must pass. */
  readonly notScored: Omit<Counts, "failed">;
}

/** The runs in order. The pinned counts detect skipped scenarios. */
export const suites: readonly Suite[] = [
  {
    title: "0.1.16 --suite all",
    package: "conformance-2025",
    args: ["--suite", "all"],
    // The list of `--suite pending`. The second scenario sends protocol version 2025-03-26, which has no polling.
    pending: ["json-schema-2020-12", "server-sse-polling"],
    scored: { scenarios: 30, passed: 40 },
    notScored: { scenarios: 2, passed: 4 },
  },
  {
    title: "0.2.0-alpha.12 --requirements 2025-11-25",
    package: "conformance-2026",
    args: ["--requirements", "2025-11-25"],
    pending: [],
    scored: { scenarios: 30, passed: 70 },
    notScored: { scenarios: 3, passed: 14 },
  },
  {
    title: "0.2.0-alpha.12 --requirements 2026-07-28",
    package: "conformance-2026",
    args: ["--requirements", "2026-07-28"],
    pending: [],
    scored: { scenarios: 37, passed: 120 },
    notScored: { scenarios: 13, passed: 76 },
  },
];
