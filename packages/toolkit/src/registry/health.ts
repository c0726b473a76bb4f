/** Health checks by name; a check throws when it fails. */
export type HealthChecks = Readonly<Record<string, (signal: AbortSignal) => void | Promise<void>>>;

/** The results of the health checks. */
export interface HealthReport {
  readonly isReady: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly duration_ms: number }[];
}

/** The time limit of a check in milliseconds, because probes need an answer soon. */
const checkTimeoutMs = 2_000;

/**
 * Runs all checks concurrently. Errors are passed only to `onFailure` and not returned, because they may name hosts
 * and paths.
 */
export async function runHealthChecks(
  checks: HealthChecks,
  onFailure: (name: string, thrown: unknown) => void,
): Promise<HealthReport> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const started = performance.now();
      const ok = await withTimeout(check).then(
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

async function withTimeout(check: HealthChecks[string]): Promise<void> {
  const signal = AbortSignal.timeout(checkTimeoutMs);
  const timeout = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  // The check is called in an async function, so that a synchronous throw also becomes a rejection that is handled
  // here.
  await Promise.race([(async () => check(signal))(), timeout]);
}
