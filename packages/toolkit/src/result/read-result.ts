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
  type WarningDetail,
  warning,
} from "@foundry-mcp/contract";
import { isTooDeep, maxDepth } from "@foundry-mcp/contract/input";
import { sortContent, toReference } from "./content-blocks.ts";
import { type ExactValue, parseExact } from "./exact-numbers.ts";
import { toForeignFailure } from "./foreign-failure.ts";
import { parseJson } from "./foreign-text.ts";

/** The context of the call whose result is read. */
export interface ResultContext {
  /** The value of `meta.request_id` if the answer has no request id. */
  readonly requestId?: string | undefined;
}

/**
 * Converts an MCP tool result of any server to a response-v2 envelope; never throws.
 *
 * An envelope of any dialect is recognized and converted. For any other result, the structured content, the
 * JSON text or the text becomes `data`, and a warning UPSTREAM_NORMALIZED is added. Images, audio and
 * resources are described in `data.content`. A result with `isError` becomes a failure; the error code of
 * this failure is as specific as the content allows.
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

/** Adds a request id to an envelope without one, if the id is valid. */
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
  const { value: first, kept } = parseText(texts[0] ?? "");
  if (detectDialect(first) !== null) return withWarning(readEnvelope(first), numbersKept(kept));
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
    // A number of more than 53 bits has all its digits only in the text, because the message was parsed before.
    const exact = kept > 0 && texts.length === 1 ? parseJson(texts[0] ?? "") : parsed;
    const isCopy = exact !== undefined && isCopyOf(exact, structuredContent);
    const joined = texts.join("\n");
    const isRepeated = isCopy || (kept === 0 && isMemberOf(joined, parsed, structuredContent));
    const text = isRepeated || texts.length === 0 ? {} : { text: joined };
    const isWrapped = isCopy && !isDeepStrictEqual(exact, structuredContent);
    const payload = isCopy && kept > 0 ? (isWrapped ? { result: parsed } : parsed) : structuredContent;
    const built = toSuccess(toPayload(payload), { ...text, ...references }, "structured content");
    return withWarning(built, payload === structuredContent ? numbersRounded(payload) : numbersKept(kept));
  }
  if (parsed !== undefined)
    return withWarning(toSuccess(toPayload(parsed), references, "JSON text"), numbersKept(kept));
  if (texts.length > 0) return toSuccess({ text: texts.join("\n") }, references, "text");
  return toSuccess({}, references, others.length > 0 ? "content blocks" : "nothing");
}

/**
 * Parses JSON without a change of its numbers. Returns undefined for a text that is not JSON, and for a text that is only
 * a number whose digits would change, because such a text is as good as its number.
 */
function parseText(text: string): ExactValue {
  const exact = parseExact(text) ?? { value: undefined, kept: 0 };
  const { value } = exact;
  const isChanged = typeof value === "number" ? String(value) !== text.trim() : value === text.trim();
  return isChanged ? { value: undefined, kept: 0 } : exact;
}

function numbersKept(count: number): WarningDetail | undefined {
  if (count === 0) return undefined;
  const what = count === 1 ? "A number is a text" : `${count.toLocaleString("en")} numbers are texts`;
  return warning("UPSTREAM_NORMALIZED", `${what} in this answer, so that no digits are lost`, { count });
}

/** Returns a warning if structured content has numbers whose digits may have been lost before it was read. */
function numbersRounded(value: unknown): WarningDetail | undefined {
  const count = countUnsafe(value);
  if (count === 0) return undefined;
  const what = count === 1 ? "A number" : `${count.toLocaleString("en")} numbers`;
  return warning("UPSTREAM_NORMALIZED", `${what} of this answer may be rounded: the digits exceed 53 bits`, {
    count,
  });
}

function countUnsafe(value: unknown): number {
  let count = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "number") count += Number.isInteger(next) && !Number.isSafeInteger(next) ? 1 : 0;
    else if (typeof next === "object" && next !== null)
      for (const each of Object.values(next)) open.push(each);
  }
  return count;
}

function withWarning(envelope: Envelope, detail: WarningDetail | undefined): Envelope {
  if (detail === undefined) return envelope;
  const { version, request_id: id, warnings, warning_details: details, ...rest } = envelope.meta;
  const meta = {
    version,
    ...(id === undefined ? {} : { request_id: id }),
    warnings: [...(warnings ?? []), detail.message],
    warning_details: [...(details ?? []), detail],
    ...rest,
  };
  return { ...envelope, meta } as Envelope;
}

/** True if the text repeats the structured content, possibly without its wrapper `result`. */
function isCopyOf(parsed: unknown, structured: unknown): boolean {
  if (isDeepStrictEqual(parsed, structured)) return true;
  return isRecord(structured) && isDeepStrictEqual({ result: parsed }, structured);
}

/** True if a text, or the value that it is the JSON of, is a member of the structured content. */
function isMemberOf(text: string, parsed: unknown, structured: unknown): boolean {
  if (!isRecord(structured)) return false;
  return Object.values(structured).some(
    (member) => member === text || (parsed !== undefined && isDeepStrictEqual(member, parsed)),
  );
}

function toPayload(value: unknown): UnknownRecord {
  return isRecord(value) ? value : { result: value };
}

/** Adds the extras to `data`, or to `meta` if the payload has a key of the same name. */
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
  return warning("UPSTREAM_NORMALIZED", `The answer was not an envelope; this one was built from ${source}`, {
    source,
  });
}

/** Creates the failure of a result that is not final: a request to the client, or a task to poll. */
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
