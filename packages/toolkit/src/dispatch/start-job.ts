import { isRecord } from "@foundry-mcp/contract";
import { type AnsweredQuestion, type JobCall, JobStarted } from "../context/job-call.ts";
import type { CallState } from "./call-state.ts";
import type { Target } from "./find-action.ts";

/**
 * Starts a job for a call whose surface offers one; then throws JobStarted with the answer of the call. Does nothing
 * if the call runs at once.
 */
export async function startJob(
  state: CallState,
  { tool, action }: Target,
  answered: readonly AnsweredQuestion[] = [],
): Promise<void> {
  const { call, caller, principal, requestId, dialect } = state;
  const { task = "never", resumable = false } = action.definition;
  const { startJob: start, asksForJob = false } = caller;
  if (start === undefined || (task === "never" && !asksForJob)) return;
  const jobCall: JobCall = {
    tool: tool.name,
    action: action.name,
    args: isRecord(call.args) ? call.args : {},
    requestId,
    trace: call.trace,
    surface: caller.surface,
    client: caller.client,
    principal: caller.principal,
    dialect,
    maxTokens: caller.maxTokens,
    ...(call.warnings === undefined ? {} : { warnings: call.warnings }),
  };
  const handle = await start({
    principal,
    call: jobCall,
    support: task,
    isRepeatable: resumable || action.hints.idempotent,
    answered,
    warn: (detail) => state.warn(detail),
  });
  if (handle !== undefined) throw new JobStarted(handle);
}
