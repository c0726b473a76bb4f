import { type Envelope, isContractError, successResponse, type UnknownRecord } from "@foundry-mcp/contract";
import { isInputRequired } from "../context/ask.ts";
import type { Call, Caller } from "../context/call.ts";
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
import { type EncodedResponse, toDialect } from "./to-dialect.ts";
import { toAnswer, toFailure, toRawAnswer } from "./to-envelope.ts";
import { validateInput } from "./validate-input.ts";
import { validateOutput } from "./validate-output.ts";

/** The outcome of a call: the response, and what a surface sends with it. */
export interface Outcome extends EncodedResponse {
  /** The declared name of the tool; undefined when there is no such tool. */
  readonly tool: string | undefined;
  /** Images, sounds and links that are sent with the envelope, as MCP content blocks. */
  readonly blocks: readonly UnknownRecord[];
  /** An MCP result that is sent to MCP clients as it is, in place of the envelope. */
  readonly result: UnknownRecord | undefined;
  /** The client's remaining quota; undefined where no rate limit applies. */
  readonly quota: Quota | undefined;
  /** The value that was thrown where the call failed; for the surface, never for the client. */
  readonly thrown?: unknown;
}

/**
 * The one path of every call, on every surface; never throws. The steps stand in their order, and each
 * throws to leave the path. A step that has nothing to wait for returns no promise: every call pays for
 * this function, so it creates few of them. docs/explain/lifecycle.md draws the exits.
 */
export async function dispatch(deps: DispatchDeps, call: Call, caller: Caller): Promise<Outcome> {
  const state = new CallState(deps, call, caller);
  let deadline: Deadline | undefined;
  /** The client that holds a slot; undefined while it has none. */
  let client: string | undefined;
  let context: CallContext | undefined;
  let ending: Ending;
  try {
    const found = findAction(deps, state.tool, call);
    const target = isContractError(found) ? undefined : found;
    state.target = target;
    deadline = new Deadline(
      state.startedAt,
      timeoutOf(deps, call, target),
      deps.deadlineTimer,
      caller.signal,
    );
    const dialect = chooseDialect(state);
    state.dialect = typeof dialect === "string" ? dialect : await deadline.race(dialect);
    if (target === undefined) throw found;
    const flagCheck = checkFlag(state, target);
    if (flagCheck !== undefined) await deadline.race(flagCheck);
    checkRole(state, target);
    checkTier(state, target);
    const limitCheck = checkRateLimit(state, target);
    if (limitCheck !== undefined) await deadline.race(limitCheck);
    const validation = validateInput(target.action, target.args);
    const input = validation instanceof Promise ? await deadline.race(validation) : validation;
    state.requestedTokens = input.maxTokens;
    if (target.reading !== undefined) state.warn(toReadingWarning([target.reading]));
    if (input.warning !== undefined) state.warn(input.warning);
    const { clientKey } = state;
    const waiting = acquireSlot(deps.slots, clientKey, deadline);
    if (waiting !== undefined) await waiting;
    client = clientKey;
    context = new CallContext(state, target, input, deadline);
    const running = runHandler(state, target, input.value, context);
    const returned = isThenable(running) ? await deadline.race(running) : running;
    const now = performance.now();
    // A handler that blocked the thread past its deadline is as late as one that waited.
    deadline.check(now);
    if (context.question !== undefined) throw context.question;
    ending = toEnding(state, target, returned, context, state.elapsedMs(now));
    const { success, data } = ending.envelope;
    const outputCheck = deps.validatesOutput && success ? validateOutput(target.action, data) : undefined;
    if (outputCheck !== undefined) await deadline.race(outputCheck);
    const isSentRaw = ending.result !== undefined && isMcp(caller);
    if (success && !isSentRaw) {
      const budgeted = applyBudget(state, ending.envelope, () => context?.pagedListIn(data));
      ending.response = budgeted instanceof Promise ? await deadline.race(budgeted) : budgeted;
    } else if (isSentRaw) ending.response = toDialect(ending.envelope, state);
  } catch (thrown) {
    ending = toFailedEnding(thrown, state);
  } finally {
    deadline?.stop();
    if (client !== undefined) deps.slots.release(client);
  }
  const response = ending.response ?? (await encodeFailure(state, ending.envelope));
  return toOutcome(state, ending, response, context);
}

/** How a call ended, before its response is encoded. */
interface Ending {
  readonly envelope: Envelope;
  readonly durationMs: number;
  readonly result?: UnknownRecord | undefined;
  readonly thrown?: unknown;
  response?: BudgetedResponse;
}

function timeoutOf(deps: DispatchDeps, call: Call, target: Target | undefined): number {
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

/** A question to the client is no failure: it is sent as it is, and the client repeats the call with the answer. */
function toFailedEnding(thrown: unknown, state: CallState): Ending {
  const durationMs = state.elapsedMs(performance.now());
  if (!isInputRequired(thrown)) return { envelope: toFailure(state, thrown, durationMs), durationMs, thrown };
  const meta = { requestId: state.requestId, telemetry: { duration_ms: durationMs } };
  return { envelope: successResponse({}, meta), durationMs, result: thrown.result, thrown };
}

/** MCP clients get a raw result as it is; all others get the envelope that was read from it. */
function isMcp({ surface }: Caller): boolean {
  return surface === "stdio" || surface === "http";
}

/** A failure whose tokens cannot be counted is sent whole. */
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
