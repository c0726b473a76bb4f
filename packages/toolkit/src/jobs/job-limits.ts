import { internal } from "@foundry-mcp/contract";
import { requireWhole } from "../options/require-option.ts";

/** The limits of the jobs of each principal, and the times of all jobs. */
export interface JobLimits {
  /** The maximum number of jobs that have not expired. @default 256 */
  readonly jobs?: number | undefined;
  /** The maximum number of jobs that have not ended. @default 32 */
  readonly running?: number | undefined;
  /** The maximum number of bytes of all jobs together, as JSON. @default 64 MiB */
  readonly bytes?: number | undefined;
  /** The maximum number of bytes of one result in a job; larger results are archived. @default 1 MiB */
  readonly resultBytes?: number | undefined;
  /** The time from the creation of a job to its removal, in milliseconds. @default one day */
  readonly ttlMs?: number | undefined;
  /** The time that clients should wait between two polls, in milliseconds. @default one second */
  readonly pollIntervalMs?: number | undefined;
  /** The time after which the job of a crashed process may run again, in milliseconds. @default 30 seconds */
  readonly leaseMs?: number | undefined;
  /** The maximum number of times that a job is run. @default 3 */
  readonly runs?: number | undefined;
}

/** The limits with the defaults filled in. */
export type ResolvedJobLimits = { readonly [K in keyof JobLimits]-?: number };

const defaults: ResolvedJobLimits = {
  jobs: 256,
  running: 32,
  bytes: 64 * 1024 * 1024,
  resultBytes: 1024 * 1024,
  ttlMs: 86_400_000,
  pollIntervalMs: 1_000,
  leaseMs: 30_000,
  runs: 3,
};

/** Fills in the defaults; every limit must be a whole number of at least one. */
export function resolveJobLimits(given: JobLimits): ResolvedJobLimits {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const limits = { ...defaults, ...Object.fromEntries(set) };
  const refuse = (fault: string, remediation: string) =>
    internal(`Cannot create a job store: ${fault}`, { remediation });
  requireWhole(1, Number.MAX_SAFE_INTEGER, limits, refuse);
  return limits;
}
