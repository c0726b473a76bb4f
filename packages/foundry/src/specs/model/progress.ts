import type { Tally } from "./spec-model.ts";

/** How far something is, as answers tell it. */
export interface Progress {
  readonly completed: number;
  readonly total: number;
  /** Whole, and 100 only when all is done. */
  readonly percentage: number;
}

/** The progress of a tally; nothing to do is 0 %. */
export function progressOf({ total, completed }: Tally): Progress {
  return { completed, total, percentage: total === 0 ? 0 : Math.floor((completed * 100) / total) };
}
