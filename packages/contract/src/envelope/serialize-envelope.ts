import { isWritableJson } from "../json/is-writable-json.ts";
import { isRecord } from "../json/json-value.ts";
import { type JsonText, toJsonText } from "../json/to-json-text.ts";
import { envelopeValidator } from "../schema/validators.ts";
import type { Envelope, Failure, Meta } from "./envelope.ts";
import { errorResponse } from "./error-response.ts";
import { orderMeta } from "./order-meta.ts";

/** An envelope ready to be sent: the value and its text hold the same. */
export interface EncodedEnvelope {
  readonly envelope: Envelope;
  readonly text: string;
}

/**
 * Writes an envelope in the minified wire form; never throws and never writes a broken one.
 *
 * @example
 * serializeEnvelope(successResponse({ ok: true }));
 * // {"success":true,"data":{"ok":true},"error":null,"meta":{"version":"response-v2"}}
 */
export function serializeEnvelope(envelope: Envelope): string {
  return encodeEnvelope(envelope).text;
}

/**
 * As `serializeEnvelope`, with the value that was written: for channels that carry both. Where the
 * payload cannot be held by JSON, both are an INTERNAL_ERROR that names the place.
 */
export function encodeEnvelope(envelope: Envelope): EncodedEnvelope {
  const ordered = toWireOrder(envelope);
  if (ordered === null) return encodeFailure(envelope, "it is no response-v2 envelope", problemsOf(envelope));
  const written = toJsonText(ordered, isWritableEnvelope);
  if (!written.ok) {
    const { path, found } = written.problem;
    return encodeFailure(envelope, `${path} holds ${found}`, { path, found });
  }
  if (written.repaired.length > 0) return encodeRepaired(written);
  // A copy was made where JSON holds something else than the value: it must still be an envelope.
  if (written.value !== ordered && !envelopeValidator().is(written.value)) {
    return encodeFailure(envelope, "it is no response-v2 envelope", problemsOf(written.value));
  }
  return { envelope: written.value as Envelope, text: written.text };
}

/** In `meta` a date would be a text where the contract wants an object. */
function isWritableEnvelope({ data, meta }: Envelope): boolean {
  return isWritableJson(data) && isWritableJson(meta, false);
}

/** The envelope in the order of the contract, or null when it is none. */
function toWireOrder(envelope: Envelope): Envelope | null {
  try {
    if (!envelopeValidator().is(envelope)) return null;
    const { success, data, error } = envelope;
    return { success, data, error, meta: orderMeta(envelope.meta) } as Envelope;
  } catch {
    return null;
  }
}

function encodeRepaired(written: JsonText & { ok: true }): EncodedEnvelope {
  const envelope = written.value as Envelope;
  const shown = written.repaired.slice(0, 10).join(", ");
  const message = `${written.repaired.length} text(s) held half a character, replaced by U+FFFD: ${shown}`;
  const warnings = [...(envelope.meta.warnings ?? []), message];
  return encodeEnvelope({ ...envelope, meta: { ...envelope.meta, warnings } as Meta } as Envelope);
}

function encodeFailure(
  original: unknown,
  reason: string,
  details: Readonly<Record<string, unknown>>,
): EncodedEnvelope {
  const failure: Failure = errorResponse(`Cannot write the answer: ${reason}`, {
    errorCode: "INTERNAL_ERROR",
    remediation:
      "This is a fault of the tool, not of the call: it must return plain JSON; report it to the tool's author.",
    details,
    requestId: requestIdOf(original),
  });
  return { envelope: failure, text: JSON.stringify(failure) };
}

function problemsOf(envelope: unknown): Readonly<Record<string, unknown>> {
  try {
    const [first] = envelopeValidator().problems(envelope);
    return first === undefined ? {} : { path: first.path, rule: first.rule };
  } catch {
    return {};
  }
}

function requestIdOf(original: unknown): string | undefined {
  try {
    const meta = isRecord(original) ? original["meta"] : undefined;
    const id = isRecord(meta) ? meta["request_id"] : undefined;
    return typeof id === "string" && /^[A-Za-z0-9_-]{1,128}$/.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
