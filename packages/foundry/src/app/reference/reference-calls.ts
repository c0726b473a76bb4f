import type { CompatibleCall } from "@foundry-mcp/toolkit";
import { authoringCalls } from "./authoring-calls.ts";
import { researchCalls } from "./research-calls.ts";
import { reviewCalls } from "./review-calls.ts";
import { serverCalls } from "./server-calls.ts";
import { specCalls } from "./spec-calls.ts";
import { taskCalls } from "./task-calls.ts";

/** The calls that users of the Python foundry-mcp make, and the calls of this server that answer them. */
export const referenceCalls: readonly CompatibleCall[] = [
  ...serverCalls,
  ...specCalls,
  ...taskCalls,
  ...authoringCalls,
  ...reviewCalls,
  ...researchCalls,
];
