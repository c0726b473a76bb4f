import type { Dialect, Envelope } from "@foundry-mcp/contract";
import type { Attributes } from "@opentelemetry/api";
import { isInputRequired } from "../../context/ask.ts";
import type { Call, Caller, Surface } from "../../context/call.ts";
import { type Logger, logFailure } from "../../context/logger.ts";
import { type AuditedCall, toAuditFields } from "./audit-fields.ts";
import { type CallSpan, startSpan } from "./call-span.ts";
import { countDeprecated, recordDuration } from "./instruments.ts";

/** The parts of a call's state that telemetry reports. */
export interface ObservedCall extends AuditedCall {
  readonly dialect: Dialect;
  readonly clientKey: string;
}

/** The telemetry of one call: a span, a duration metric and a line in the log. */
export class CallTelemetry {
  readonly #logger: Logger;
  readonly #caller: Caller;
  readonly #requestId: string;
  readonly #tool: string | undefined;
  readonly #span: CallSpan | undefined;

  /** Starts the span; `tool` is the declared name, or undefined for a tool that does not exist. */
  constructor(logger: Logger, call: Call, caller: Caller, requestId: string, tool: string | undefined) {
    this.#logger = logger;
    this.#caller = caller;
    this.#requestId = requestId;
    this.#tool = tool;
    this.#span = startSpan(tool, callAttributes(caller.surface, tool).success, call.trace);
    this.#span?.describe({ ...caller.attributes?.(), "foundry.request_id": requestId });
  }

  /**
   * Runs work in the context of the call's span, so that spans started by the work become children of the call's
   * span.
   */
  run<T>(work: () => T): T {
    return this.#span === undefined ? work() : this.#span.run(work);
  }

  /** Ends the span, records the duration and writes the log line. */
  end(envelope: Envelope, durationMs: number, thrown: unknown, call: ObservedCall): void {
    const { success, failure } = callAttributes(this.#caller.surface, this.#tool);
    try {
      if (call.dialect === "response-v1") countDeprecated(this.#logger, call.clientKey);
      recordDuration(durationMs, envelope.success ? success : failure);
      if (envelope.success) this.#endSuccess(durationMs, thrown, call);
      else this.#endFailure(String(envelope.data.error_code), failure, durationMs, thrown, call);
    } catch {
      // A failing log or exporter must not prevent the response.
    }
  }

  #endSuccess(durationMs: number, thrown: unknown, call: ObservedCall): void {
    this.#span?.end();
    // A call that may have changed something is always logged; other successes are logged only at debug level.
    const level = isMutation(call) ? "info" : "debug";
    if (this.#logger.isLevelEnabled?.(level) === false) return;
    this.#logger[level](this.#toFacts(true, durationMs, thrown, call), "tools/call");
  }

  #endFailure(
    code: string,
    attributes: Attributes,
    durationMs: number,
    thrown: unknown,
    call: ObservedCall,
  ): void {
    this.#span?.fail(code, attributes);
    this.#span?.end();
    const facts = { ...this.#toFacts(false, durationMs, thrown, call), error_code: code };
    logFailure(this.#logger, "tools/call", facts, thrown);
  }

  #toFacts(success: boolean, durationMs: number, thrown: unknown, call: ObservedCall) {
    const traceId = this.#span?.traceId;
    return {
      request_id: this.#requestId,
      tool: this.#tool,
      surface: this.#caller.surface,
      client: this.#caller.client.name,
      success,
      duration_ms: durationMs,
      ...(isInputRequired(thrown) ? { input_required: true } : undefined),
      ...(traceId === undefined ? undefined : { trace_id: traceId }),
      ...(isMutation(call) ? toAuditFields(call) : undefined),
    };
  }
}

function isMutation({ target }: ObservedCall): boolean {
  return target?.action.hints.readOnly === false;
}

/** The attributes of a successful and of a failed call. */
interface OutcomeAttributes {
  readonly success: Attributes;
  readonly failure: Attributes;
}

const attributeCache = new Map<Surface, Map<string, OutcomeAttributes>>();

/**
 * Returns the attributes of spans and metrics according to the MCP conventions. There are few distinct sets of
 * attributes, so each set is created only once. Calls that nobody observes therefore stay fast.
 */
function callAttributes(surface: Surface, tool: string | undefined): OutcomeAttributes {
  const found = attributeCache.get(surface)?.get(tool ?? "");
  if (found !== undefined) return found;
  const tools = attributeCache.get(surface) ?? new Map<string, OutcomeAttributes>();
  const attributes = toAttributes(surface, tool);
  attributeCache.set(surface, tools.set(tool ?? "", attributes));
  return attributes;
}

function toAttributes(surface: Surface, tool: string | undefined): OutcomeAttributes {
  const success = {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    ...(tool === undefined ? {} : { "gen_ai.tool.name": tool }),
    ...(surface === "in-process" ? {} : { "network.transport": surface === "stdio" ? "pipe" : "tcp" }),
  };
  // The conventions use one error type for every failure that a tool itself reports.
  return { success, failure: { ...success, "error.type": "tool_error" } };
}
