import type { ResearchStatus } from "./research-status.ts";
import type { HearProgress } from "./run-research.ts";

/** A research that this process runs. */
export interface RunningResearch {
  readonly id: string;
  /** Ends with the run; rejects never: failures are in the status. */
  readonly ended: Promise<ResearchStatus>;
  /** Hears how far it is, at once and then with every source, until the function that it gives back is called. */
  onProgress(hear: HearProgress): () => void;
  /** Stops here, resumable. */
  interrupt(): void;
}

/** Tells several how far something is; who comes later is told what was said last. */
export function createProgress(): {
  readonly tell: HearProgress;
  onProgress(hear: HearProgress): () => void;
} {
  const hearers = new Set<HearProgress>();
  let last: Parameters<HearProgress> | undefined;
  const tellOne = (hear: HearProgress, said: Parameters<HearProgress>) => {
    try {
      hear(...said);
    } catch {
      // Whoever cannot bear to hear it must not stop the work.
    }
  };
  return {
    tell(...said) {
      last = said;
      for (const hear of hearers) tellOne(hear, said);
    },
    onProgress(hear) {
      const own: HearProgress = (...said) => hear(...said);
      hearers.add(own);
      if (last !== undefined) tellOne(own, last);
      return () => void hearers.delete(own);
    },
  };
}
