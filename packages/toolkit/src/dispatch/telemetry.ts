import type { Envelope } from "@foundry-mcp/contract";
import { InputRequired } from "../context/ask.ts";
import type { Call, Caller } from "../context/call.ts";
import { logFailure } from "../context/log-failure.ts";
import type { Logger } from "../context/logger.ts";
import { callAttributes } from "./call-attributes.ts";
import { recordDuration } from "./call-duration.ts";
import { CallSpan } from "./call-span.ts";

/** The watch over one call: what operators see of it as a span, a metric and a line of the log. */
export class Observation {
  readonly #logger: Logger;
  readonly #caller: Caller;
  readonly #requestId: string;
  readonly #tool: string | undefined;
  readonly #span: CallSpan;

  /** Starts to watch; `tool` is the declared name, undefined for a tool that does not exist. */
  constructor(logger: Logger, call: Call, caller: Caller, requestId: string, tool: string | undefined) {
    this.#logger = logger;
    this.#caller = caller;
    this.#requestId = requestId;
    this.#tool = tool;
    this.#span = new CallSpan(tool, callAttributes(caller.surface, tool, false), call.trace);
    this.#span.describe(() => ({ ...caller.attributes?.(), "foundry.request_id": requestId }));
  }

  /** Runs the work so that spans it starts belong to this call. */
  run<T>(work: () => T): T {
    return this.#span.run(work);
  }

  /** Ends the span, counts the duration and writes the one line of this call. */
  end(envelope: Envelope, durationMs: number, thrown: unknown): void {
    const code = envelope.success ? undefined : String(envelope.data.error_code);
    const attributes = callAttributes(this.#caller.surface, this.#tool, code !== undefined);
    try {
      recordDuration(durationMs, attributes);
      this.#span.end(code, attributes);
      const facts = this.#toFacts(envelope.success, durationMs, thrown);
      if (code === undefined) this.#logger.info(facts, "tools/call");
      else logFailure(this.#logger, "tools/call", { ...facts, error_code: code }, thrown);
    } catch {
      // A log or an exporter that fails must not cost the caller its answer.
    }
  }

  #toFacts(success: boolean, durationMs: number, thrown: unknown) {
    const { traceId } = this.#span;
    return {
      request_id: this.#requestId,
      tool: this.#tool,
      surface: this.#caller.surface,
      client: this.#caller.client.name,
      success,
      duration_ms: durationMs,
      ...(thrown instanceof InputRequired ? { input_required: true } : undefined),
      ...(traceId === undefined ? undefined : { trace_id: traceId }),
    };
  }
}
