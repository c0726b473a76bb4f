/** What must work, by name; a check throws when it does not. */
export type HealthChecks = Readonly<Record<string, (signal: AbortSignal) => void | Promise<void>>>;

/** How the checks ended. */
export interface HealthReport {
  readonly isReady: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly duration_ms: number }[];
}

/** A check that takes longer than this has failed: a probe must be answered. */
const longestCheck = 2_000;

/** Runs all checks at once. What a check throws is for the log: it may name hosts and paths. */
export async function runHealthChecks(
  checks: HealthChecks,
  onFailure: (name: string, thrown: unknown) => void,
): Promise<HealthReport> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const started = performance.now();
      const ok = await withinTime(check).then(
        () => true,
        (thrown: unknown) => {
          onFailure(name, thrown);
          return false;
        },
      );
      return { name, ok, duration_ms: Math.round(performance.now() - started) };
    }),
  );
  return { isReady: results.every(({ ok }) => ok), checks: results };
}

async function withinTime(check: HealthChecks[string]): Promise<void> {
  const signal = AbortSignal.timeout(longestCheck);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  // Called within a promise: a check that throws at once is raced like any other, and `late` is never left alone.
  await Promise.race([(async () => check(signal))(), late]);
}
