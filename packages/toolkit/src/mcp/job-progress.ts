import type { Progress } from "../context/call.ts";
import type { JobLease, JobStore } from "../jobs/job-store.ts";

/** The shortest time between two status messages, because every message is a write. */
const minGapMs = 250;

/** The progress of one run of a job. */
export interface JobProgress {
  send(progress: Progress): void;
  /** Stops the progress; a message that is not stored yet is dropped. */
  stop(): Promise<void>;
}

/** Creates the progress of a run: its newest state becomes the status message of the job. */
export function createJobProgress(store: JobStore, lease: JobLease): JobProgress {
  let writing: Promise<unknown> = Promise.resolve();
  let latest: Progress | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  const write = (): void => {
    timer = undefined;
    if (latest === undefined) return;
    lastAt = performance.now();
    const message = toMessage(latest);
    latest = undefined;
    // If a message cannot be stored, the run continues.
    writing = writing.then(() => store.report(lease, message)).catch(() => {});
  };
  return {
    send(progress) {
      latest = progress;
      timer ??= setTimeout(write, Math.max(0, lastAt + minGapMs - performance.now())).unref();
    },
    async stop() {
      clearTimeout(timer);
      await writing;
    },
  };
}

function toMessage({ progress, total, message }: Progress): string {
  return message ?? (total === undefined ? String(progress) : `${progress} of ${total}`);
}
