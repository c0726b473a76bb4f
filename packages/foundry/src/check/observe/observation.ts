import {
  type Dialect,
  detectDialect,
  type Envelope,
  isRecord,
  readEnvelope,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { RawReply } from "@foundry-mcp/toolkit/client";
import { boundValue } from "./limit-depth.ts";

/** A call that was made. */
export interface MadeCall {
  readonly tool: string;
  readonly args: UnknownRecord;
  readonly requestId: string;
}

/** A call and what came back, as the rules see it. */
export interface Observation extends MadeCall {
  readonly reply: RawReply;
  /** The tool result, where one came. */
  readonly result?: UnknownRecord | undefined;
  /** The first text of the result. */
  readonly text?: string | undefined;
  /** The value of that text; undefined where it is no JSON. */
  readonly parsed?: unknown;
  /** What stands for the answer: the structured content, else the value of the text. */
  readonly value?: unknown;
  readonly dialect: Dialect | null;
  /** The answer as response-v2, where it is an envelope of any dialect; what breaks its shape is in it all the same. */
  readonly envelope?: Envelope | undefined;
  /**
   * `throttled`: a failure that says nothing of the call. `pending`: a question to the client or a task,
   * which is no answer yet. `none`: no answer came.
   */
  readonly outcome: "success" | "failure" | "throttled" | "pending" | "none";
}

/** Reads what came back of a call. */
export function toObservation(call: MadeCall, reply: RawReply): Observation {
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

/** True where the server answered the call as it was made, well or badly. */
export function isAnswered({ outcome }: Observation): boolean {
  return outcome === "success" || outcome === "failure";
}

/** True where the server said no, in whatever form. */
export function isRefused({ outcome }: Observation): boolean {
  return outcome === "failure";
}

/** The payload of an answer: of an envelope its data, else what was sent. */
export function payloadOf({ envelope, value }: Observation): unknown {
  return envelope === undefined ? value : envelope.data;
}

function readValue(value: unknown): Pick<Observation, "dialect" | "envelope"> {
  const dialect = detectDialect(value);
  if (dialect !== "response-v2" || !isRecord(value))
    return { dialect, envelope: dialect === null ? undefined : readEnvelope(value) };
  // As it stands: reading would make a failure of an envelope with the smallest fault.
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
    // One level down, as the structured content is in the result.
    return boundValue(JSON.parse(text), 1).value;
  } catch {
    return undefined;
  }
}
