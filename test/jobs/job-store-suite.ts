import type { JobStorage } from "@foundry-mcp/toolkit/jobs";

// The module is loaded dynamically, because the suite is not part of an entry point.
const path = "../../packages/toolkit/src/jobs/job-store.suite.ts";
const { describeJobStore } = (await import(new URL(path, import.meta.url).href)) as {
  describeJobStore(name: string, openPair: () => Promise<readonly [JobStorage, JobStorage]>): void;
};

export { describeJobStore };
