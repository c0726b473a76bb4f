import { isDeepStrictEqual } from "node:util";
import {
  detectDialect,
  type Envelope,
  errorResponse,
  isRecord,
  type Meta,
  readEnvelope,
  requestIdPattern,
  successResponse,
  type UnknownRecord,
  warning,
} from "@foundry-mcp/contract";
import { isTooDeep, maxDepth } from "@foundry-mcp/contract/input";
import { sortContent, toReference } from "./content-blocks.ts";
import { toForeignFailure } from "./foreign-failure.ts";
import { parseJson } from "./foreign-text.ts";

/** The context of the call whose result is read. */
export interface ResultContext {
  /** Used as `meta.request_id` where the answer has none. */
  readonly requestId?: string | undefined;
}

/**
 * Converts any MCP tool result of any server to a response-v2 envelope; never throws.
 *
 * An envelope of any dialect is read as one. Of any other result the structured content, the JSON text or
 * the text becomes `data`, with a warning UPSTREAM_NORMALIZED; images, audio and resources are described in
 * `data.content`. A result with `isError` becomes a failure with the most precise code that it gives
 * evidence for.
 *
 * @example
 * const envelope = readCallToolResult(await client.callTool({ name: "search", arguments: { q: "mcp" } }));
 */
export function readCallToolResult(result: unknown, context: ResultContext = {}): Envelope {
  let envelope: Envelope;
  try {
    envelope = read(result);
  } catch {
    envelope = noResult("it throws when it is read");
  }
  return withRequestId(envelope, context.requestId);
}

/** Adds a request id to an envelope that has none, if the id is valid. */
export function withRequestId<E extends Envelope>(envelope: E, requestId: string | undefined): E {
  if (requestId === undefined || envelope.meta.request_id !== undefined) return envelope;
  if (!requestIdPattern.test(requestId)) return envelope;
  const { version, ...rest } = envelope.meta;
  return { ...envelope, meta: { version, request_id: requestId, ...rest } satisfies Meta };
}

function read(result: unknown): Envelope {
  if (!isRecord(result)) return noResult(`it is ${result === null ? "null" : `of type ${typeof result}`}`);
  if (isTooDeep(result))
    return noResult(`it nests lists and objects deeper than ${maxDepth.toLocaleString("en")} levels`);
  const { structuredContent, isError, resultType = "task" in result ? "task" : "complete" } = result;
  if (resultType !== "complete") return notComplete(resultType);
  const { texts, others } = sortContent(result["content"]);
  if (detectDialect(structuredContent) !== null) return readEnvelope(structuredContent);
  const first = parseLossless(texts[0] ?? "");
  if (detectDialect(first) !== null) return readEnvelope(first);
  const parsed = texts.length === 1 ? first : undefined;
  const references = others.length === 0 ? {} : { content: others.map(toReference) };
  if (isError === true) {
    const payload = [structuredContent, parsed].find(isRecord);
    return toForeignFailure({
      payload,
      text: texts.join("\n"),
      extras: references,
      warning: failureSource(payload),
    });
  }
  if (structuredContent !== undefined) {
    // SDKs repeat the structured content as text; only a different text is added to the payload.
    const isCopy = parsed !== undefined && isCopyOf(parsed, structuredContent);
    const text = isCopy || texts.length === 0 ? {} : { text: texts.join("\n") };
    return toSuccess(toPayload(structuredContent), { ...text, ...references }, "structured content");
  }
  if (parsed !== undefined) return toSuccess(toPayload(parsed), references, "JSON text");
  if (texts.length > 0) return toSuccess({ text: texts.join("\n") }, references, "text");
  return toSuccess({}, references, others.length > 0 ? "content blocks" : "nothing");
}

/** Parses JSON; returns undefined also where a number would lose digits. */
function parseLossless(text: string): unknown {
  const value = parseJson(text);
  return typeof value === "number" && String(value) !== text.trim() ? undefined : value;
}

/** True for a text that repeats the structured content, also where that wraps the value in `result`. */
function isCopyOf(parsed: unknown, structured: unknown): boolean {
  if (isDeepStrictEqual(parsed, structured)) return true;
  return isRecord(structured) && isDeepStrictEqual({ result: parsed }, structured);
}

function toPayload(value: unknown): UnknownRecord {
  return isRecord(value) ? value : { result: value };
}

/** Adds the extras to `data`, or to `meta` where the payload has a key of the same name. */
function toSuccess(payload: UnknownRecord, extras: UnknownRecord, source: string): Envelope {
  const data: Record<string, unknown> = {};
  const meta: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(extras)) {
    if (Object.hasOwn(payload, key)) meta[`upstream_${key}`] = value;
    else data[key] = value;
  }
  return successResponse(Object.keys(data).length === 0 ? payload : { ...payload, ...data }, {
    warningDetails: [normalized(source)],
    meta,
  });
}

const failureSource = (payload: unknown) => normalized(payload === undefined ? "text" : "an error object");

function normalized(source: string) {
  return warning("UPSTREAM_NORMALIZED", `The answer was no envelope; this one was made of ${source}`, {
    source,
  });
}

/** The failure of a result that is not final: a request to the client, or a task to poll. */
function notComplete(resultType: unknown): Envelope {
  const name = typeof resultType === "string" ? resultType.slice(0, 100).toWellFormed() : typeof resultType;
  return errorResponse(`The answer is not complete: its result type is "${name}", wanted "complete"`, {
    errorCode: "NOT_IMPLEMENTED",
    remediation: `Call with a client that handles results of type ${name}.`,
    details: { result_type: name },
  });
}

function noResult(reason: string): Envelope {
  return errorResponse(`The server answered something that is no tool result: ${reason}`, {
    errorCode: "UPSTREAM_ERROR",
    details: { may_have_run: true },
  });
}
