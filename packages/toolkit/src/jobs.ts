// Jobs: calls that run apart from the request that started them and survive it. MCP calls them tasks.

// The store of jobs: its rules over any storage, and a storage in memory.
export { createJobStore, type JobStoreOptions } from "./jobs/create-job-store.ts";
export {
  type ArchivedResult,
  hasEnded,
  hasExpired,
  isJobId,
  type Job,
  type JobCall,
  type JobEnding,
  type JobError,
  type JobQuestion,
  type JobStatus,
  type Lease,
  openQuestions,
} from "./jobs/job.ts";
export type { JobLimits, ResolvedJobLimits } from "./jobs/job-limits.ts";
export type { JobFilter, JobStorage } from "./jobs/job-storage.ts";
export type { JobLease, JobStore, LeasedJob, NewJob } from "./jobs/job-store.ts";
export { createMemoryJobStorage, createMemoryJobs } from "./jobs/memory-job-store.ts";
// The tool `jobs`, for people and for clients without tasks.
export { createJobsTool, type JobsToolOptions } from "./registry/jobs-tool.ts";
