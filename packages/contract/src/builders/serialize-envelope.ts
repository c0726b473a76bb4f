import { type Envelope, requestIdPattern } from "../envelope/envelope.ts";
import { envelopeValidator } from "../envelope/envelope-schemas.ts";
import { orderMeta } from "../envelope/order-meta.ts";
import { isWritableJson } from "../json/is-writable-json.ts";
import { toJsonText } from "../json/to-json.ts";
import { errorResponse } from "./responses.ts";
import { toolFaultRemediation } from "./to-meta.ts";

/** An envelope ready to be sent: the text is the JSON of the value. */
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
export function serializeEnvelope(envelope: Envelope<object>): string {
  return encodeEnvelope(envelope).text;
}

/**
 * As `serializeEnvelope`, with the value that was written: for channels that carry both. Where the
 * payload cannot be held by JSON, both are an INTERNAL_ERROR that names the place.
 */
export function encodeEnvelope(envelope: Envelope<object>): EncodedEnvelope {
  try {
    if (!envelopeValidator.is(envelope)) return encodeFailure(envelope, noEnvelope);
    const { success, data, error } = envelope;
    const ordered = { success, data, error, meta: orderMeta(envelope.meta) } as Envelope;
    const written = toJsonText(ordered, isWritableEnvelope);
    if (!written.ok)
      return encodeFailure(
        envelope,
        `${written.problem.path} holds ${written.problem.found}`,
        written.problem,
      );
    const { text, repaired } = written;
    const value = written.value as Envelope;
    if (repaired.length > 0) return encodeEnvelope(withWarning(value, repaired));
    // A copy was made where JSON holds something else than the value: it must still be an envelope.
    return value === ordered || envelopeValidator.is(value)
      ? { envelope: value, text }
      : encodeFailure(envelope, noEnvelope);
  } catch {
    return encodeFailure({}, noEnvelope);
  }
}

const noEnvelope = "it is no response-v2 envelope";

/** In `meta`, and for `data` itself, a date would be a text where the contract wants an object. */
function isWritableEnvelope({ data, meta }: Envelope): boolean {
  return isWritableJson(data, true, 2) && isWritableJson(meta, false, 2);
}

function withWarning(envelope: Envelope, places: readonly string[]): Envelope {
  const message = `${places.length} text(s) held half a character, replaced by U+FFFD: ${places.slice(0, 10).join(", ")}`;
  const warnings = [...(envelope.meta.warnings ?? []), message];
  return { ...envelope, meta: { ...envelope.meta, warnings } };
}

function encodeFailure(original: unknown, reason: string, details: object = {}): EncodedEnvelope {
  const id = (original as Partial<Envelope> | null | undefined)?.meta?.request_id;
  const envelope = errorResponse(`Cannot write the answer: ${reason}`, {
    remediation: toolFaultRemediation,
    details: { ...details },
    requestId: typeof id === "string" && requestIdPattern.test(id) ? id : undefined,
  });
  return { envelope, text: JSON.stringify(envelope) };
}
