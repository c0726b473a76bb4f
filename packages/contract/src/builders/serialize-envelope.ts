import { type Envelope, requestIdPattern } from "../envelope/envelope.ts";
import { envelopeValidator } from "../envelope/envelope-schemas.ts";
import { orderMeta } from "../envelope/order-meta.ts";
import { isWritableJson } from "../json/is-writable-json.ts";
import { toJsonText } from "../json/to-json.ts";
import { errorResponse } from "./responses.ts";
import { toolFaultRemediation } from "./to-meta.ts";

/** An envelope and its JSON text. */
export interface EncodedEnvelope {
  readonly envelope: Envelope;
  readonly text: string;
}

/**
 * Serializes an envelope as minified JSON; never throws and never writes an invalid envelope.
 *
 * @example
 * serializeEnvelope(successResponse({ ok: true }));
 * // {"success":true,"data":{"ok":true},"error":null,"meta":{"version":"response-v2"}}
 */
export function serializeEnvelope(envelope: Envelope<object>): string {
  return encodeEnvelope(envelope).text;
}

/**
 * Serializes an envelope and returns the JSON text and the value that the text represents, for channels that send
 * both. A payload that JSON cannot represent becomes an INTERNAL_ERROR that names the JSON path.
 */
export function encodeEnvelope(envelope: Envelope<object>): EncodedEnvelope {
  try {
    if (!envelopeValidator.is(envelope)) return encodeFailure(envelope, notAnEnvelope);
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
    if (repaired.length > 0) return encodeEnvelope(withRepairWarning(value, repaired));
    // If JSON cannot represent the envelope unchanged, `value` is a changed copy of the envelope, so the copy
    // must be validated again.
    return value === ordered || envelopeValidator.is(value)
      ? { envelope: value, text }
      : encodeFailure(envelope, notAnEnvelope);
  } catch {
    return encodeFailure({}, notAnEnvelope);
  }
}

const notAnEnvelope = "it is no response-v2 envelope";

/**
 * True if an envelope can be written unchanged. A date as `data` or within `meta` is not accepted, because JSON
 * would turn the date into a string.
 */
function isWritableEnvelope({ data, meta }: Envelope): boolean {
  return isWritableJson(data, true, 2) && isWritableJson(meta, false, 2);
}

function withRepairWarning(envelope: Envelope, paths: readonly string[]): Envelope {
  const message = `${paths.length === 1 ? "1 text" : `${paths.length} texts`} held half a character, replaced by U+FFFD: ${paths.slice(0, 10).join(", ")}`;
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
