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
import { InputRequired } from "../context/ask.ts";
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

/** The one path of every call, on every surface; never throws. docs/explain/lifecycle.md draws its exits. */
export async function dispatch(host: Host, call: Call, caller: Caller): Promise<Outcome> {
  const journey = new Journey(host, call, caller);
  const tool = host.catalogue.findTool(call.tool);
  const observation = new Observation(journey.logger, call, caller, journey.ids.requestId, tool?.name);
  let stopped: unknown;
  let arrival: Arrival;
  try {
    arrival = await observation.run(() => travel(journey));
  } catch (thrown) {
    stopped = thrown;
    arrival = toExit(thrown, journey);
  }
  const { envelope, json, value, text } = toDialect(arrival.envelope, host.dialect, identityOf(host, tool));
  observation.end(envelope, journey.elapsed(), stopped);
  const blocks = envelope.success ? (journey.context?.blocks ?? none) : none;
  return { envelope, json, value, text, tool: tool?.name, blocks, result: arrival.result, stopped };
}

const none: readonly UnknownRecord[] = [];

/** One call on its way. */
class Journey {
  readonly host: Host;
  readonly call: Call;
  readonly caller: Caller;
  readonly ids: RequestIds;
  readonly #started = performance.now();
  context: CallContext | undefined = undefined;

  constructor(host: Host, call: Call, caller: Caller) {
    this.host = host;
    this.call = call;
    this.caller = caller;
    this.ids = resolveRequestId(call.requestId);
  }

  get logger(): Logger {
    return this.caller.logger ?? this.host.logger;
  }

  /** Milliseconds with three decimals, as the contract tells them. */
  elapsed(): number {
    return Math.round((performance.now() - this.#started) * 1_000) / 1_000;
  }
}

interface Arrival {
  readonly envelope: Envelope;
  readonly result?: UnknownRecord;
}

/** The steps, in their order; each throws to leave the path. */
async function travel(journey: Journey): Promise<Arrival> {
  const { host, call, caller, logger } = journey;
  const { requestId } = journey.ids;
  const target = findAction(host.catalogue, call);
  const checking = validateInput(target.action, target.args);
  const input = checking instanceof Promise ? await checking : checking;
  const flight = new Flight(host.deadlines, deadlineOf(host, call, target), caller.signal);
  try {
    const turn = takeTurn(host.concurrency, flight);
    if (turn !== undefined) await turn;
    try {
      const context = new CallContext({ caller, target, input, requestId, flight, logger });
      journey.context = context;
      const returned = await runHandler(target, input.value, context, flight);
      const arrival = toArrival(journey, target.action, returned, context);
      if (host.validatesOutput) await validateOutput(target.action, arrival.envelope.data);
      return arrival;
    } finally {
      host.concurrency.leave();
    }
  } finally {
    flight.land();
  }
}

function deadlineOf(host: Host, call: Call, { action }: Target): number {
  const own = action.definition.timeoutMs ?? host.timeoutMs;
  return call.timeoutMs === undefined ? own : Math.min(own, call.timeoutMs);
}

function toArrival(
  journey: Journey,
  action: PreparedAction,
  returned: unknown,
  context: CallContext,
): Arrival {
  if (!action.definition.raw)
    return { envelope: toSuccess(action, returned, journey.ids, context, journey.elapsed()) };
  const result = toRawResult(action, returned);
  const envelope = readCallToolResult(result);
  const telemetry = { duration_ms: journey.elapsed() };
  const meta = { ...envelope.meta, request_id: journey.ids.requestId, telemetry };
  return { envelope: { ...envelope, meta } as Envelope, result };
}

/** A question to the client is no failure: it travels as it is, and the call comes back with the answer. */
function toExit(thrown: unknown, journey: Journey): Arrival {
  const { ids, context } = journey;
  const durationMs = journey.elapsed();
  if (!(thrown instanceof InputRequired)) return { envelope: toFailure(thrown, ids, context, durationMs) };
  const meta = { requestId: ids.requestId, telemetry: { duration_ms: durationMs } };
  return { envelope: successResponse({}, meta), result: thrown.result };
}

/** What envelope-v1 says of the tool that answered. */
function identityOf({ errors }: Host, tool: PreparedTool | undefined): ToolIdentity {
  const identity = { toolId: tool?.name ?? "", toolVersion: tool?.version ?? "" };
  return errors === undefined ? identity : { ...identity, catalogue: errors };
}
