import { type Envelope, isContractError, successResponse, type UnknownRecord } from "@foundry-mcp/contract";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { isInputRequired } from "../context/ask.ts";
import type { Call, Caller } from "../context/call.ts";
import type { Quota } from "../limits/rate-limiter.ts";
import { readCallToolResult } from "../result/read-result.ts";
import { type Fitted, fitAnswer } from "./apply-budget.ts";
import { CallContext } from "./call-context.ts";
import { Journey } from "./call-state.ts";
import { checkFlag } from "./check-flag.ts";
import { takeQuota } from "./check-rate-limit.ts";
import { checkRole } from "./check-role.ts";
import { checkTier } from "./check-tier.ts";
import { chooseDialect } from "./choose-dialect.ts";
import { Flight } from "./deadline.ts";
import type { Host } from "./dispatch-deps.ts";
import { findAction, type Target } from "./find-action.ts";
import { toRawResult } from "./raw-result.ts";
import { runHandler } from "./run-handler.ts";
import { takeTurn } from "./take-turn.ts";
import { toDialect, type Wire } from "./to-dialect.ts";
import { toFailure, toSuccess } from "./to-envelope.ts";
import { validateInput } from "./validate-input.ts";
import { validateOutput } from "./validate-output.ts";

/** What becomes of a call. */
export interface Outcome extends Wire {
  /** The declared name of the tool; undefined when there is no such tool. */
  readonly tool: string | undefined;
  /** Images, sounds and links beside the envelope, as MCP content blocks. */
  readonly blocks: readonly UnknownRecord[];
  /** An MCP result that is sent to MCP clients as it is, in place of the envelope. */
  readonly result: UnknownRecord | undefined;
  /** What is left of the client's quota, where it has one. */
  readonly quota: Quota | undefined;
  /** What was thrown where the call failed; for the surface, never for the wire. */
  readonly stopped?: unknown;
}

/**
 * The one path of every call, on every surface; never throws. The steps stand in their order, and each
 * throws to leave the path. Those that have nothing to wait for do not wait: one function and few
 * promises, because this is what every call costs. docs/explain/lifecycle.md draws the exits.
 */
export async function dispatch(host: Host, call: Call, caller: Caller): Promise<Outcome> {
  const journey = new Journey(host, call, caller);
  const { concurrency, deadlines } = host;
  let flight: Flight | undefined;
  let hasTurn = false;
  let context: CallContext | undefined;
  let arrival: Arrival;
  try {
    const found = findAction(host.catalogue, journey.tool, call);
    const target = isContractError(found) ? undefined : found;
    journey.target = target;
    flight = new Flight(journey.started, timeoutOf(host, call, target), deadlines, caller.signal);
    const choosing = chooseDialect(journey);
    journey.dialect = typeof choosing === "string" ? choosing : await flight.race(choosing);
    if (target === undefined) throw found;
    const flagging = checkFlag(journey, target);
    if (flagging !== undefined) await flight.race(flagging);
    checkRole(journey, target);
    checkTier(journey, target);
    const counting = takeQuota(journey, target);
    if (counting !== undefined) await flight.race(counting);
    const checking = validateInput(target.action, target.args);
    const input = checking instanceof Promise ? await flight.race(checking) : checking;
    journey.askedTokens = input.maxTokens;
    const turn = takeTurn(concurrency, flight);
    if (turn !== undefined) await turn;
    hasTurn = true;
    context = new CallContext(journey, target, input, flight);
    const running = runHandler(journey.observation, target, input.value, context, flight);
    const returned = running instanceof Promise ? await running : running;
    const now = performance.now();
    // A handler that held the thread past its deadline is as late as one that waited.
    flight.check(now);
    if (context.question !== undefined) throw context.question;
    arrival = toArrival(journey, target.action, returned, context, journey.elapsed(now));
    const judging = host.validatesOutput ? validateOutput(target.action, arrival.envelope.data) : undefined;
    if (judging !== undefined) await flight.race(judging);
    if (arrival.result === undefined || !isMcp(caller)) {
      const { data } = arrival.envelope;
      const fitting = fitAnswer(journey, arrival.envelope, () => context?.pagedListIn(data));
      arrival.wire = fitting instanceof Promise ? await flight.race(fitting) : fitting;
    } else arrival.wire = toDialect(arrival.envelope, journey);
  } catch (thrown) {
    arrival = toExit(thrown, journey);
  } finally {
    flight?.land();
    if (hasTurn) concurrency.leave();
  }
  return toOutcome(
    journey,
    arrival,
    arrival.wire ?? (await writeFailure(journey, arrival.envelope)),
    context,
  );
}

/** Whatever counts the tokens of a failure may fail itself; then it goes as it is. */
async function writeFailure(journey: Journey, envelope: Envelope): Promise<Fitted> {
  try {
    return await fitAnswer(journey, envelope, () => undefined);
  } catch {
    return toDialect(envelope, journey);
  }
}

/** Ends the watch over the call. */
function toOutcome(
  journey: Journey,
  { result, durationMs, stopped }: Arrival,
  { envelope, json, value, text, link }: Fitted,
  context: CallContext | undefined,
): Outcome {
  const { tool, observation, quota } = journey;
  observation.end(envelope, durationMs, stopped, journey);
  const told = envelope.success ? (context?.blocks ?? none) : none;
  const blocks = link === undefined ? told : [...told, link];
  return { envelope, json, value, text, tool: tool?.name, blocks, result, quota, stopped };
}

const none: readonly UnknownRecord[] = [];

/** A raw result goes to MCP clients as it is; all others get the envelope that stands for it. */
function isMcp({ surface }: Caller): boolean {
  return surface === "stdio" || surface === "http";
}

interface Arrival {
  readonly envelope: Envelope;
  readonly durationMs: number;
  readonly result?: UnknownRecord | undefined;
  /** What was thrown where the call failed. */
  readonly stopped?: unknown;
  /** The envelope as it is sent. */
  wire?: Fitted;
}

function timeoutOf(host: Host, call: Call, target: Target | undefined): number {
  const own = target?.action.definition.timeoutMs ?? host.timeoutMs;
  return call.timeoutMs === undefined ? own : Math.min(own, call.timeoutMs);
}

function toArrival(
  journey: Journey,
  action: PreparedAction,
  returned: unknown,
  context: CallContext,
  durationMs: number,
): Arrival {
  if (!action.definition.raw)
    return { envelope: toSuccess(journey, action, returned, context.pagination, durationMs), durationMs };
  const result = toRawResult(action, returned);
  const envelope = readCallToolResult(result);
  const meta = {
    ...envelope.meta,
    request_id: journey.requestId,
    telemetry: { duration_ms: durationMs },
  };
  return { envelope: { ...envelope, meta } as Envelope, durationMs, result };
}

/** A question to the client is no failure: it travels as it is, and the call comes back with the answer. */
function toExit(thrown: unknown, journey: Journey): Arrival {
  const durationMs = journey.elapsed(performance.now());
  if (!isInputRequired(thrown)) {
    return { envelope: toFailure(journey, thrown, durationMs), durationMs, stopped: thrown };
  }
  const meta = { requestId: journey.requestId, telemetry: { duration_ms: durationMs } };
  return { envelope: successResponse({}, meta), durationMs, result: thrown.result, stopped: thrown };
}
