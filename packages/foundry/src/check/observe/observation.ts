import {
  type Dialect,
  detectDialect,
  type Envelope,
  readEnvelope,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { RawReply } from "@foundry-mcp/toolkit/client";

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
  /** The answer as response-v2, where it is an envelope of any dialect. */
  readonly envelope?: Envelope | undefined;
  /** `pending`: a question to the client or a task, which is no answer yet. `none`: no answer came. */
  readonly outcome: "success" | "failure" | "pending" | "none";
}

/** Reads what came back of a call. */
export function toObservation(call: MadeCall, reply: RawReply): Observation {
  if (reply.kind === "none") return { ...call, reply, dialect: null, outcome: "none" };
  if (reply.kind === "error") {
    const dialect = detectDialect(reply.data);
    const envelope = dialect === null ? undefined : readEnvelope(reply.data);
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
  const dialect = detectDialect(value);
  const envelope = dialect === null ? undefined : readEnvelope(value);
  const isSuccess = envelope?.success ?? result["isError"] !== true;
  const outcome = isSuccess ? "success" : "failure";
  return { ...call, reply, result, text, parsed, value, dialect, envelope, outcome };
}

/** True where the server said no, in whatever form. */
export function isRefused({ outcome }: Observation): boolean {
  return outcome === "failure";
}

/** The payload of an answer: of an envelope its data, else what was sent. */
export function payloadOf({ envelope, value }: Observation): unknown {
  return envelope === undefined ? value : envelope.data;
}

/** True for an object that is no list. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
