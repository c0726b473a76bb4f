import {
  type Dialect,
  type Envelope,
  type ErrorCatalogue,
  successResponse,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { InputRequired } from "../context/ask.ts";
import type { Call, Caller } from "../context/call.ts";
import type { Logger } from "../context/logger.ts";
import { type RequestIds, resolveRequestId } from "../context/request-id.ts";
import { readCallToolResult } from "../result/read-result.ts";
import type { Concurrency } from "./concurrency.ts";
import { createContext, type Told } from "./create-context.ts";
import type { Deadlines } from "./deadlines.ts";
import { findAction, type Target } from "./find-action.ts";
import { createFlight } from "./flight.ts";
import { toRawResult } from "./raw-result.ts";
import { runHandler } from "./run-handler.ts";
import { takeTurn } from "./take-turn.ts";
import { observe } from "./telemetry.ts";
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
  const started = performance.now();
  const ids = resolveRequestId(call.requestId);
  const tool = host.catalogue.findTool(call.tool);
  const logger = caller.logger ?? host.logger;
  const observation = observe(logger, call, caller, { requestId: ids.requestId, tool: tool?.name });
  const journey: Journey = { host, call, caller, ids, elapsed: () => round(performance.now() - started) };
  let stopped: unknown;
  let arrival: Arrival;
  try {
    arrival = await observation.run(() => travel(journey));
  } catch (thrown) {
    stopped = thrown;
    arrival = toExit(thrown, journey);
  }
  const wire = toDialect(arrival.envelope, host.dialect, {
    toolId: tool?.name ?? "",
    toolVersion: tool?.version ?? "",
    ...(host.errors === undefined ? {} : { catalogue: host.errors }),
  });
  observation.end(wire.envelope, journey.elapsed(), stopped);
  const blocks = wire.envelope.success ? (journey.told?.blocks ?? []) : [];
  return { ...wire, tool: tool?.name, blocks, result: arrival.result, stopped };
}

/** One call on its way. */
interface Journey {
  readonly host: Host;
  readonly call: Call;
  readonly caller: Caller;
  readonly ids: RequestIds;
  readonly elapsed: () => number;
  told?: Told;
}

interface Arrival {
  readonly envelope: Envelope;
  readonly result?: UnknownRecord;
}

/** The steps, in their order; each throws to leave the path. */
async function travel(journey: Journey): Promise<Arrival> {
  const { host, call, caller, ids } = journey;
  const target = findAction(host.catalogue, call);
  const checking = validateInput(target.action, target.args);
  const input = checking instanceof Promise ? await checking : checking;
  const flight = createFlight(host.deadlines, deadlineOf(host, call, target), caller.signal);
  try {
    await takeTurn(host.concurrency, flight);
    try {
      const { context, told } = createContext({
        caller,
        target,
        input,
        ids,
        flight,
        logger: caller.logger ?? host.logger,
      });
      journey.told = told;
      const returned = await runHandler(target, input.value, context, flight, told);
      return await toArrival(journey, target.action, returned, told);
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

async function toArrival(
  { host, ids, elapsed }: Journey,
  action: PreparedAction,
  returned: unknown,
  told: Told,
): Promise<Arrival> {
  if (action.definition.raw) {
    const result = toRawResult(action, returned);
    const envelope = readCallToolResult(result);
    const meta = { ...envelope.meta, request_id: ids.requestId, telemetry: { duration_ms: elapsed() } };
    return { envelope: { ...envelope, meta } as Envelope, result };
  }
  const envelope = toSuccess(action, returned, ids, told, elapsed());
  if (host.validatesOutput) await validateOutput(action, envelope.data);
  return { envelope };
}

/** A question to the client is no failure: it travels as it is, and the call comes back with the answer. */
function toExit(thrown: unknown, { ids, told, elapsed }: Journey): Arrival {
  const durationMs = elapsed();
  if (!(thrown instanceof InputRequired)) return { envelope: toFailure(thrown, ids, told, durationMs) };
  const meta = { requestId: ids.requestId, telemetry: { duration_ms: durationMs } };
  return { envelope: successResponse({}, meta), result: thrown.result };
}

/** Milliseconds with three decimals, as the contract tells them. */
function round(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
