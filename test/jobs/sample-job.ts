import type { NewJob } from "@foundry-mcp/toolkit/jobs";

/** A job that a server may create. */
export const sampleJob: NewJob = {
  principal: "ann",
  call: {
    tool: "work",
    action: "run",
    args: { size: 3 },
    requestId: "req_1",
    surface: "stdio",
    client: { name: "tester", version: "1" },
    dialect: "response-v2",
  },
  isRepeatable: true,
};
