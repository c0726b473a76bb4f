import type { Envelope } from "../envelope/envelope.ts";
import { isRecord, isSameJson, type UnknownRecord } from "../json/json-value.ts";
import { parseJsonText } from "../json/parse-json-text.ts";
import { shortHash } from "../text/sha256.ts";
import type { EnvelopeV1 } from "./envelope-v1.ts";

/** The key under which the remainder is stored in the `data` of an envelope-v1. */
export const remainderKey = "_response_v2";

/** The changes that turn an envelope, converted to envelope-v1 and back, into the original envelope. */
interface Remainder {
  /** Members of the envelope to set. */
  readonly set?: UnknownRecord;
  /** Members of `meta` to set. */
  readonly meta?: UnknownRecord;
  /** Members of `meta` to remove. */
  readonly drop?: readonly string[];
}

/**
 * Adds the remainder to an envelope-v1 as a single string. Servers of envelope-v1 remove unknown keys of objects at
 * every depth, but do not change strings.
 */
export function withRemainder(bare: EnvelopeV1, original: Envelope, restored: Envelope): EnvelopeV1 {
  const body = JSON.stringify(toRemainder(original, restored));
  const data = isRecord(bare.data) ? bare.data : {};
  return { ...bare, data: { ...data, [remainderKey]: `${toChecksum(bare, body)}:${body}` } };
}

/**
 * Splits an envelope-v1 into its remainder and the rest. Returns null if there is no remainder. A remainder with a
 * wrong checksum is treated as ordinary payload.
 */
export function splitRemainder(
  envelope: EnvelopeV1,
): { readonly bare: EnvelopeV1; readonly remainder: Remainder } | null {
  if (!isRecord(envelope.data)) return null;
  const { [remainderKey]: text, ...data } = envelope.data;
  if (typeof text !== "string") return null;
  const bare = { ...envelope, data };
  const body = text.slice(9);
  if (text.slice(0, 9) !== `${toChecksum(bare, body)}:`) return null;
  try {
    const remainder: unknown = parseJsonText(body);
    return isRecord(remainder) ? { bare, remainder } : null;
  } catch {
    return null;
  }
}

/** Applies the changes in a remainder to an envelope. */
export function applyRemainder(envelope: Envelope, { set, meta: added, drop = [] }: Remainder): Envelope {
  const meta = Object.fromEntries(
    Object.entries({ ...envelope.meta, ...added }).filter(([key]) => !drop.includes(key)),
  );
  return { ...envelope, ...set, meta } as unknown as Envelope;
}

function toRemainder(original: Envelope, restored: Envelope): Remainder {
  const parts = Object.entries({
    set: differing(original, { ...restored, meta: original.meta }),
    meta: differing(original.meta, restored.meta),
    drop: Object.keys(restored.meta).filter((key) => !Object.hasOwn(original.meta, key)),
  });
  return Object.fromEntries(parts.filter(([, part]) => Object.keys(part).length > 0));
}

/** Returns the members of `record` that are absent from `other` or have another value there. */
function differing(record: object, other: object): UnknownRecord {
  const entries = Object.entries(record).filter(
    ([key, value]) => !Object.hasOwn(other, key) || !isSameJson(value, (other as UnknownRecord)[key]),
  );
  return Object.fromEntries(entries);
}

/**
 * Computes a checksum of the remainder and its envelope together. A remainder that was copied from another envelope
 * therefore has a wrong checksum.
 */
function toChecksum(envelope: EnvelopeV1, body: string): string {
  const { tool_id, request_id, tier, error } = envelope;
  return shortHash(JSON.stringify([tool_id, request_id, tier, error?.error, error?.error_code, body]));
}
