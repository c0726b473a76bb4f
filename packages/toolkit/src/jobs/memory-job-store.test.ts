import { describeJobStore } from "./job-store.suite.ts";
import { createMemoryJobStorage } from "./memory-job-store.ts";

describeJobStore("jobs in memory", async () => {
  const storage = createMemoryJobStorage();
  return [storage, storage];
});
