import type { LoadSample } from "./load.ts";

/** One row of the table of latencies, in milliseconds. */
export interface LatencyRow {
  readonly row: string;
  readonly calls: "changes" | "reads";
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** Collects the latencies of all samples of one load. */
export function toLatencies() {
  const kinds = { changes: [] as number[], reads: [] as number[] };
  let ms = 0;
  return {
    add(sample: LoadSample): void {
      kinds.changes.push(...sample.writes);
      kinds.reads.push(...sample.reads);
      ms += sample.ms;
    },
    rows(row: string): readonly LatencyRow[] {
      return (["changes", "reads"] as const)
        .filter((calls) => kinds[calls].length > 0)
        .map((calls) => ({
          row,
          calls,
          perSecond: Math.round((kinds[calls].length * 1_000) / ms),
          ...toPercentiles(kinds[calls]),
        }));
    },
  };
}

/** Returns the median, the 95th percentile and the maximum. */
export function toPercentiles(all: readonly number[]): { p50: number; p95: number; max: number } {
  const sorted = all.toSorted((one, other) => one - other);
  const at = (share: number) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1));
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}
