import { createJobStore, type JobStoreOptions } from "./create-job-store.ts";
import { hasEnded, hasExpired, type Job } from "./job.ts";
import type { JobStorage } from "./job-storage.ts";
import type { JobStore } from "./job-store.ts";

/** Creates a store in memory, for tests and for servers whose jobs may be lost when the process ends. */
export function createMemoryJobs(options: JobStoreOptions = {}): JobStore {
  return createJobStore(createMemoryJobStorage(), options);
}

/** Creates a storage in memory. */
export function createMemoryJobStorage(): JobStorage {
  /** The jobs as JSON texts, so that callers cannot change a stored job through an object that they have received. */
  const texts = new Map<string, string>();
  const read = (id: string): Job | undefined => {
    const text = texts.get(id);
    return text === undefined ? undefined : JSON.parse(text);
  };
  return {
    async create(job) {
      if (texts.has(job.id)) return false;
      texts.set(job.id, JSON.stringify(job));
      return true;
    },
    read: async (id) => read(id),
    async replace(job, version) {
      if (read(job.id)?.version !== version) return false;
      texts.set(job.id, JSON.stringify(job));
      return true;
    },
    async list({ principal, isRunning, expiredAt }) {
      const jobs = [...texts.values()].map((text): Job => JSON.parse(text));
      return jobs.filter(
        (job) =>
          (principal === undefined || job.principal === principal) &&
          (isRunning !== true || !hasEnded(job)) &&
          (expiredAt === undefined || hasExpired(job, expiredAt)),
      );
    },
    async delete(id) {
      texts.delete(id);
    },
  };
}
