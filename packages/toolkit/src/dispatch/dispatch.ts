import {
  type Dialect,
  type Envelope,
  type ErrorCatalogue,
  successResponse,
  type ToolIdentity,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { PreparedAction, PreparedTool } from "../catalogue/prepared-tool.ts";
import { isInputRequired } from "../context/ask.ts";
import type { Call, Caller } from "../context/call.ts";
import type { Logger } from "../context/logger.ts";
import { type RequestIds, resolveRequestId } from "../context/request-id.ts";
import { readCallToolResult } from "../result/read-result.ts";
import { CallContext } from "./call-context.ts";
import type { Concurrency } from "./concurrency.ts";
import type { Deadlines } from "./deadlines.ts";
import { findAction, type Target } from "./find-action.ts";
import { Flight } from "./flight.ts";
import { toRawResult } from "./raw-result.ts";
import { runHandler } from "./run-handler.ts";
import { takeTurn } from "./take-turn.ts";
import { Observation } from "./telemetry.ts";
import { toDialect, type Wire } from "./to-dialect.ts";
import { toFailure, toSuccess } from "./to-envelope.ts";
import { validateInput } from "./validate-input.ts";
import { validateOutput } from "./validate-output.ts";

/** What every call of one server shares. */
export interface Host {
  readonly catalogue: Catalogue;
  readonly concurrency: Concurrency;
  readonly deadlines: Deadlines;
  readonly logger: Logger;
  readonly dialect: Dialect;
  readonly timeoutMs: number;
  readonly validatesOutput: boolean;
  /** The server's own error codes. */
  readonly errors: ErrorCatalogue | undefined;
}

/** What becomes of a call. */
export interface Outcome extends Wire {
  /** The declared name of the tool; undefined when there is no such tool. */
  readonly tool: string | undefined;
  /** Images, sounds and links beside the envelope, as MCP content blocks. */
  readonly blocks: readonly UnknownRecord[];
  /** An MCP result that is sent to MCP clients as it is, in place of the envelope. */
  readonly result: UnknownRecord | undefined;
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
  let arrival: Arrival;
  try {
    const target = findAction(host.catalogue, journey.tool, call);
    flight = new Flight(journey.started, timeoutOf(host, call, target), deadlines, caller.signal);
    const checking = validateInput(target.action, target.args);
    const input = checking instanceof Promise ? await flight.race(checking) : checking;
    const turn = takeTurn(concurrency, flight);
    if (turn !== undefined) await turn;
    hasTurn = true;
    const context = new CallContext(journey, target, input, flight);
    journey.context = context;
    const running = runHandler(journey.observation, target, input.value, context, flight);
    const returned = running instanceof Promise ? await running : running;
    const now = performance.now();
    // A handler that held the thread past its deadline is as late as one that waited.
    flight.check(now);
    if (context.question !== undefined) throw context.question;
    arrival = toArrival(journey, target.action, returned, context, journey.elapsed(now));
    const judging = host.validatesOutput ? validateOutput(target.action, arrival.envelope.data) : undefined;
    if (judging !== undefined) await flight.race(judging);
  } catch (thrown) {
    arrival = toExit(thrown, journey);
  } finally {
    flight?.land();
    if (hasTurn) concurrency.leave();
  }
  return toOutcome(journey, arrival);
}

/** Writes the answer in its dialect, and ends the watch over the call. */
function toOutcome({ host, tool, context, observation }: Journey, arrival: Arrival): Outcome {
  const { result, durationMs, stopped } = arrival;
  const { envelope, json, value, text } = toDialect(arrival.envelope, host.dialect, identityOf(host, tool));
  observation.end(envelope, durationMs, stopped);
  const blocks = envelope.success ? (context?.blocks ?? none) : none;
  return { envelope, json, value, text, tool: tool?.name, blocks, result, stopped };
}

const none: readonly UnknownRecord[] = [];

/** One call on its way. */
class Journey {
  readonly caller: Caller;
  readonly host: Host;
  readonly ids: RequestIds;
  readonly logger: Logger;
  readonly observation: Observation;
  /** By `performance.now()`. */
  readonly started = performance.now();
  /** Undefined when there is no such tool. */
  readonly tool: PreparedTool | undefined;
  context: CallContext | undefined = undefined;

  constructor(host: Host, call: Call, caller: Caller) {
    this.caller = caller;
    this.host = host;
    this.ids = resolveRequestId(call.requestId);
    this.logger = caller.logger ?? host.logger;
    this.tool = host.catalogue.findTool(call.tool);
    this.observation = new Observation(this.logger, call, caller, this.requestId, this.tool?.name);
  }

  get requestId(): string {
    return this.ids.requestId;
  }

  /** How long it has taken by now: milliseconds with three decimals, as the contract tells them. */
  elapsed(now: number): number {
    return Math.round((now - this.started) * 1_000) / 1_000;
  }
}

interface Arrival {
  readonly envelope: Envelope;
  readonly durationMs: number;
  readonly result?: UnknownRecord | undefined;
  /** What was thrown where the call failed. */
  readonly stopped?: unknown;
}

function timeoutOf(host: Host, call: Call, { action }: Target): number {
  const own = action.definition.timeoutMs ?? host.timeoutMs;
  return call.timeoutMs === undefined ? own : Math.min(own, call.timeoutMs);
}

function toArrival(
  { ids }: Journey,
  action: PreparedAction,
  returned: unknown,
  context: CallContext,
  durationMs: number,
): Arrival {
  if (!action.definition.raw)
    return { envelope: toSuccess(action, returned, ids, context, durationMs), durationMs };
  const result = toRawResult(action, returned);
  const envelope = readCallToolResult(result);
  const meta = { ...envelope.meta, request_id: ids.requestId, telemetry: { duration_ms: durationMs } };
  return { envelope: { ...envelope, meta } as Envelope, durationMs, result };
}

/** A question to the client is no failure: it travels as it is, and the call comes back with the answer. */
function toExit(thrown: unknown, journey: Journey): Arrival {
  const { ids, context } = journey;
  const durationMs = journey.elapsed(performance.now());
  if (!isInputRequired(thrown)) {
    return { envelope: toFailure(thrown, ids, context, durationMs), durationMs, stopped: thrown };
  }
  const meta = { requestId: ids.requestId, telemetry: { duration_ms: durationMs } };
  return { envelope: successResponse({}, meta), durationMs, result: thrown.result, stopped: thrown };
}

/** What envelope-v1 says of the tool that answered. */
function identityOf({ errors }: Host, tool: PreparedTool | undefined): ToolIdentity {
  const identity = { toolId: tool?.name ?? "", toolVersion: tool?.version ?? "" };
  return errors === undefined ? identity : { ...identity, catalogue: errors };
}
