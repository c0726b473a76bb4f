import { type Envelope, isContractError, successResponse, type UnknownRecord } from "@foundry-mcp/contract";
import { isInputRequired } from "../context/ask.ts";
import type { Call, Caller } from "../context/call.ts";
import { JobStarted } from "../context/job-call.ts";
import type { Quota } from "../limits/rate-limiter.ts";
import { applyBudget, type BudgetedResponse } from "./apply-budget.ts";
import { CallContext } from "./call-context.ts";
import { CallState } from "./call-state.ts";
import { checkFlag } from "./check-flag.ts";
import { checkRateLimit } from "./check-rate-limit.ts";
import { checkRole } from "./check-role.ts";
import { checkTier } from "./check-tier.ts";
import { chooseDialect } from "./choose-dialect.ts";
import { acquireSlot } from "./concurrency.ts";
import { Deadline } from "./deadline.ts";
import type { DispatchDeps } from "./dispatch-deps.ts";
import { findAction, type Target } from "./find-action.ts";
import { toReadingWarning } from "./reading-warning.ts";
import { startJob } from "./start-job.ts";
import { loadTelemetryApi } from "./telemetry/telemetry-api.ts";
import { type EncodedResponse, toDialect } from "./to-dialect.ts";
import { toAnswer, toFailure, toRawAnswer } from "./to-envelope.ts";
import { validateInput } from "./validate-input.ts";
import { validateOutput } from "./validate-output.ts";

/** The outcome of a call: the response, and the data that a surface sends with the response. */
export interface Outcome extends EncodedResponse {
  /** The declared name of the tool; undefined if the call names an unknown tool. */
  readonly tool: string | undefined;
  /** Images, sounds and links that are sent with the envelope, as MCP content blocks. */
  readonly blocks: readonly UnknownRecord[];
  /** An MCP result that is sent unchanged to MCP clients instead of the envelope. */
  readonly result: UnknownRecord | undefined;
  /** The client's remaining quota; undefined if no rate limit applies. */
  readonly quota: Quota | undefined;
  /** The value that was thrown if the call failed; only for the surface, never sent to the client. */
  readonly thrown?: unknown;
}

/**
 * Runs every call of every surface; never throws. The steps run in the order of the code, and a step ends the call
 * by throwing. A step that has nothing to wait for returns no promise, because promises make every call slower.
 * docs/explain/lifecycle.md shows the steps and the exits.
 */
export async function dispatch(deps: DispatchDeps, call: Call, caller: Caller): Promise<Outcome> {
  const telemetry = loadTelemetryApi();
  if (telemetry !== undefined) await telemetry;
  const state = new CallState(deps, call, caller);
  let deadline: Deadline | undefined;
  /** The client for which a slot is taken; undefined while the call has no slot. */
  let client: string | undefined;
  const slots = caller.runsJob === true ? deps.jobSlots : deps.slots;
  let context: CallContext | undefined;
  let ending: Ending;
  try {
    const found = findAction(deps, state.tool, call);
    const target = isContractError(found) ? undefined : found;
    state.target = target;
    deadline = new Deadline(
      state.startedAt,
      timeoutOf(deps, call, caller, target),
      deps.deadlineTimer,
      caller.signal,
    );
    const dialect = chooseDialect(state);
    state.dialect = typeof dialect === "string" ? dialect : await deadline.race(dialect);
    if (target === undefined) throw found;
    if (caller.runsJob !== true) {
      const flagCheck = checkFlag(state, target);
      if (flagCheck !== undefined) await deadline.race(flagCheck);
      checkRole(state, target);
      checkTier(state, target);
      const limitCheck = checkRateLimit(state, target);
      if (limitCheck !== undefined) await deadline.race(limitCheck);
    }
    const validation = validateInput(target.action, target.args);
    const input = validation instanceof Promise ? await deadline.race(validation) : validation;
    state.requestedTokens = input.maxTokens;
    if (target.reading !== undefined) state.warn(toReadingWarning([target.reading]));
    if (input.warning !== undefined) state.warn(input.warning);
    const { task, detaches } = target.action.definition;
    if ((task !== undefined || caller.asksForJob === true) && detaches !== true) {
      await deadline.race(startJob(state, target));
    }
    const { clientKey } = state;
    const waiting = acquireSlot(slots, clientKey, deadline);
    if (waiting !== undefined) await waiting;
    client = clientKey;
    context = new CallContext(state, target, input, deadline);
    const running = runHandler(state, target, input.value, context);
    const returned = isThenable(running) ? await deadline.race(running) : running;
    const now = performance.now();
    // The timer cannot fire while a handler blocks the thread, so the deadline is checked again here.
    deadline.check(now);
    if (context.ending !== undefined) throw context.ending;
    ending = toEnding(state, target, returned, context, state.elapsedMs(now));
    const { success, data } = ending.envelope;
    const outputCheck = deps.validatesOutput && success ? validateOutput(target.action, data) : undefined;
    if (outputCheck !== undefined) await deadline.race(outputCheck);
    const isSentRaw = ending.result !== undefined && isMcp(caller);
    if (success && !isSentRaw) {
      const envelope = withKeys(deps, target, ending.envelope);
      const budgeted = applyBudget(state, envelope, () => context?.pagedListIn(data));
      ending.response = budgeted instanceof Promise ? await deadline.race(budgeted) : budgeted;
    } else if (isSentRaw) ending.response = toDialect(ending.envelope, state);
  } catch (thrown) {
    ending = toFailedEnding(thrown, state);
  } finally {
    deadline?.stop();
    if (client !== undefined) slots.release(client);
  }
  const response = ending.response ?? (await encodeFailure(state, ending.envelope));
  return toOutcome(state, ending, response, context);
}

/** The result of a call before its response is encoded. */
interface Ending {
  readonly envelope: Envelope;
  readonly durationMs: number;
  readonly result?: UnknownRecord | undefined;
  readonly thrown?: unknown;
  response?: BudgetedResponse;
}

/** Returns the time limit of a call. A job has none: its time to live ends it. */
function timeoutOf(deps: DispatchDeps, call: Call, caller: Caller, target: Target | undefined): number {
  if (caller.runsJob === true) return Number.POSITIVE_INFINITY;
  const own = target?.action.definition.timeoutMs ?? deps.timeoutMs;
  return call.timeoutMs === undefined ? own : Math.min(own, call.timeoutMs);
}

function runHandler(
  { telemetry }: CallState,
  { action: { definition } }: Target,
  input: unknown,
  context: CallContext,
): unknown {
  return telemetry.run(() => definition.run(input as never, context));
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function toEnding(
  state: CallState,
  { action }: Target,
  returned: unknown,
  { pagination }: CallContext,
  durationMs: number,
): Ending {
  return action.definition.raw
    ? { ...toRawAnswer(state, action, returned, durationMs), durationMs }
    : { envelope: toAnswer(state, action, returned, pagination, durationMs), durationMs };
}

/**
 * Converts a thrown value to the result of the call. A question to the client is no failure: the question is sent
 * unchanged, and the client repeats the call with the answer. The handle of a job is no failure either.
 */
function toFailedEnding(thrown: unknown, state: CallState): Ending {
  const durationMs = state.elapsedMs(performance.now());
  if (!isInputRequired(thrown) && !isJobStarted(thrown)) {
    return { envelope: toFailure(state, thrown, durationMs), durationMs, thrown };
  }
  const meta = { requestId: state.requestId, telemetry: { duration_ms: durationMs } };
  return { envelope: successResponse({}, meta), durationMs, result: thrown.result, thrown };
}

/** True for a JobStarted; never throws, not even for a proxy that a handler threw. */
function isJobStarted(thrown: unknown): thrown is JobStarted {
  try {
    return thrown instanceof JobStarted;
  } catch {
    return false;
  }
}

/** Adds compatibility keys to the payload before the budget is applied, because the budget counts these keys too. */
function withKeys({ addKeys }: DispatchDeps, { tool, action }: Target, envelope: Envelope): Envelope {
  if (addKeys === undefined || !envelope.success) return envelope;
  return { ...envelope, data: addKeys(tool.name, action.name, envelope.data) };
}

/**
 * True for callers over MCP, who get a raw result unchanged; other callers get the envelope that was read from the
 * raw result.
 */
function isMcp({ surface }: Caller): boolean {
  return surface === "stdio" || surface === "http";
}

/** Encodes a failure; if the token counter throws, the failure is sent in full. */
async function encodeFailure(state: CallState, envelope: Envelope): Promise<BudgetedResponse> {
  try {
    return await applyBudget(state, envelope, () => undefined);
  } catch {
    return toDialect(envelope, state);
  }
}

const noBlocks: readonly UnknownRecord[] = [];

function toOutcome(
  state: CallState,
  { result, durationMs, thrown }: Ending,
  { envelope, json, value, text, link }: BudgetedResponse,
  context: CallContext | undefined,
): Outcome {
  const { tool, telemetry, quota } = state;
  telemetry.end(envelope, durationMs, thrown, state);
  const attached = envelope.success ? (context?.blocks ?? noBlocks) : noBlocks;
  const blocks = link === undefined ? attached : [...attached, link];
  return { envelope, json, value, text, tool: tool?.name, blocks, result, quota, thrown };
}
