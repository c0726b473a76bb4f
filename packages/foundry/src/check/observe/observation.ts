import {
  type Dialect,
  detectDialect,
  type Envelope,
  isRecord,
  readEnvelope,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { RawReply } from "@foundry-mcp/toolkit/client";
import { limitDepth } from "./limit-depth.ts";

/** A tool call as it was sent. */
export interface ToolCall {
  readonly tool: string;
  readonly args: UnknownRecord;
  readonly requestId: string;
}

/** A tool call and its reply, parsed once for all rules. */
export interface Observation extends ToolCall {
  readonly reply: RawReply;
  /** The tool result, if there is one. */
  readonly result?: UnknownRecord | undefined;
  /** The first text of the result. */
  readonly text?: string | undefined;
  /** The parsed JSON of that text, or undefined if the text is not JSON. */
  readonly parsed?: unknown;
  /** The answer: the structured content, or else the parsed text. */
  readonly value?: unknown;
  readonly dialect: Dialect | null;
  /**
   * The answer converted to response-v2, if the answer is an envelope of any dialect. Violations of the shape are
   * kept.
   */
  readonly envelope?: Envelope | undefined;
  /**
   * `throttled`: the call was refused by a rate limit. `pending`: the reply is a question to the client or a task,
   * and not yet an answer. `none`: no answer arrived.
   */
  readonly outcome: "success" | "failure" | "throttled" | "pending" | "none";
}

/** Reads the reply to a call. */
export function toObservation(call: ToolCall, reply: RawReply): Observation {
  if (reply.kind === "none") return { ...call, reply, dialect: null, outcome: "none" };
  if (reply.kind === "error") {
    const { dialect, envelope } = readValue(reply.data);
    return { ...call, reply, dialect, envelope, value: reply.data, outcome: "failure" };
  }
  const { result } = reply;
  if (!isRecord(result)) return { ...call, reply, dialect: null, outcome: "failure" };
  if ("task" in result || (result["resultType"] ?? "complete") !== "complete")
    return { ...call, reply, result, dialect: null, outcome: "pending" };
  const text = firstText(result["content"]);
  const parsed = text === undefined ? undefined : parseJson(text);
  const structured = result["structuredContent"];
  const value = structured ?? parsed;
  const { dialect, envelope } = readValue(value);
  const isSuccess = envelope?.success ?? result["isError"] !== true;
  const isThrottled = !isSuccess && envelope?.data["error_type"] === "rate_limit";
  const outcome = isSuccess ? "success" : isThrottled ? "throttled" : "failure";
  return { ...call, reply, result, text, parsed, value, dialect, envelope, outcome };
}

/** Returns true if the call succeeded or failed, and was not throttled, pending or unanswered. */
export function isAnswered({ outcome }: Observation): boolean {
  return outcome === "success" || outcome === "failure";
}

/** Returns true if the server refused the call. */
export function isRefused({ outcome }: Observation): boolean {
  return outcome === "failure";
}

/** Returns the payload of an answer: the data of an envelope, or the whole answer. */
export function payloadOf({ envelope, value }: Observation): unknown {
  return envelope === undefined ? value : envelope.data;
}

function readValue(value: unknown): Pick<Observation, "dialect" | "envelope"> {
  const dialect = detectDialect(value);
  if (dialect !== "response-v2" || !isRecord(value))
    return { dialect, envelope: dialect === null ? undefined : readEnvelope(value) };
  // `readEnvelope` is not used here, because it turns an envelope with any violation into a failure.
  const { success, data, error, meta } = value;
  const parts = {
    success: success === true,
    data: isRecord(data) ? data : {},
    error,
    meta: isRecord(meta) ? meta : {},
  };
  return { dialect, envelope: parts as unknown as Envelope };
}

function firstText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const [first] = content as unknown[];
  return isRecord(first) && first["type"] === "text" && typeof first["text"] === "string"
    ? first["text"]
    : undefined;
}

function parseJson(text: string): unknown {
  try {
    // The depth starts at level 1, because structuredContent is one level below the result.
    return limitDepth(JSON.parse(text), 1).value;
  } catch {
    return undefined;
  }
}
