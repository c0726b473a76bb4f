import type { Envelope } from "@foundry-mcp/contract";
import type { Attributes } from "@opentelemetry/api";
import { isInputRequired } from "../../context/ask.ts";
import type { Call, Caller } from "../../context/call.ts";
import { type Logger, logFailure } from "../../context/logger.ts";
import { callAttributes } from "../call-attributes.ts";
import { recordDuration } from "../call-duration.ts";
import type { Journey } from "../call-state.ts";
import { countDeprecated } from "../deprecated-calls.ts";
import { principalOf } from "../standing.ts";
import { type CallSpan, startSpan } from "./call-span.ts";

/** What the watch must know of how a call went. */
export type Passage = Pick<Journey, "target" | "caller" | "role" | "dialect" | "clientKey">;

/** The watch over one call: what operators see of it as a span, a metric and a line of the log. */
export class Observation {
  readonly #logger: Logger;
  readonly #caller: Caller;
  readonly #requestId: string;
  readonly #tool: string | undefined;
  readonly #span: CallSpan | undefined;

  /** Starts to watch; `tool` is the declared name, undefined for a tool that does not exist. */
  constructor(logger: Logger, call: Call, caller: Caller, requestId: string, tool: string | undefined) {
    this.#logger = logger;
    this.#caller = caller;
    this.#requestId = requestId;
    this.#tool = tool;
    this.#span = startSpan(tool, callAttributes(caller.surface, tool).success, call.trace);
    this.#span?.describe({ ...caller.attributes?.(), "foundry.request_id": requestId });
  }

  /** Runs the work so that spans it starts belong to this call. */
  run<T>(work: () => T): T {
    return this.#span === undefined ? work() : this.#span.run(work);
  }

  /** Ends the span, counts the duration and writes the one line of this call. */
  end(envelope: Envelope, durationMs: number, thrown: unknown, passage: Passage): void {
    const { success, failure } = callAttributes(this.#caller.surface, this.#tool);
    try {
      if (passage.dialect === "response-v1") countDeprecated(this.#logger, passage.clientKey);
      recordDuration(durationMs, envelope.success ? success : failure);
      if (envelope.success) this.#endWell(durationMs, thrown, passage);
      else this.#endBadly(String(envelope.data.error_code), failure, durationMs, thrown, passage);
    } catch {
      // A log or an exporter that fails must not cost the caller its answer.
    }
  }

  #endWell(durationMs: number, thrown: unknown, passage: Passage): void {
    this.#span?.end();
    // What may have changed something is always told; the rest costs a line only where someone reads it.
    const level = isMutation(passage) ? "info" : "debug";
    if (this.#logger.isLevelEnabled?.(level) === false) return;
    this.#logger[level](this.#toFacts(true, durationMs, thrown, passage), "tools/call");
  }

  #endBadly(
    code: string,
    attributes: Attributes,
    durationMs: number,
    thrown: unknown,
    passage: Passage,
  ): void {
    this.#span?.fail(code, attributes);
    this.#span?.end();
    const facts = { ...this.#toFacts(false, durationMs, thrown, passage), error_code: code };
    logFailure(this.#logger, "tools/call", facts, thrown);
  }

  #toFacts(success: boolean, durationMs: number, thrown: unknown, passage: Passage) {
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
      ...(isMutation(passage) ? toAudit(passage) : undefined),
    };
  }
}

function isMutation({ target }: Passage): boolean {
  return target?.action.hints.readOnly === false;
}

/** Who did what; never what it was done with. */
function toAudit({ target, caller, role }: Passage) {
  const action = target?.tool.isPlain ? undefined : { action: target?.action.name };
  return { audit: true, ...action, principal: principalOf(caller), role };
}
