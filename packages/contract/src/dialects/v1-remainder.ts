import type { Envelope } from "../envelope/envelope.ts";
import { isRecord, isSameJson, type UnknownRecord } from "../json/json-value.ts";
import { shortHash } from "../text/sha256.ts";
import type { EnvelopeV1 } from "./envelope-v1.ts";

/** The key of an envelope-v1's `data` under which travels what envelope-v1 has no place for. */
export const carryKey = "_response_v2";

/** The difference between an envelope and what its envelope-v1 form alone would give back. */
interface Carry {
  /** Members of the envelope to set. */
  readonly set?: UnknownRecord;
  /** Members of `meta` to set. */
  readonly meta?: UnknownRecord;
  /** Members of `meta` to take away. */
  readonly drop?: readonly string[];
}

/**
 * Puts into the envelope-v1 what it lost of the original, as one string: envelope-v1 servers filter
 * objects by key, at every depth, and let strings pass.
 */
export function withCarry(bare: EnvelopeV1, original: Envelope, restored: Envelope): EnvelopeV1 {
  const body = JSON.stringify(toCarry(original, restored));
  const data = isRecord(bare.data) ? bare.data : {};
  return { ...bare, data: { ...data, [carryKey]: `${seal(bare, body)}:${body}` } };
}

/** Takes the carry out again; null where there is none. A string that was not sealed for this envelope is payload. */
export function splitCarry(
  envelope: EnvelopeV1,
): { readonly bare: EnvelopeV1; readonly carry: Carry } | null {
  if (!isRecord(envelope.data)) return null;
  const { [carryKey]: text, ...data } = envelope.data;
  if (typeof text !== "string") return null;
  const bare = { ...envelope, data };
  const body = text.slice(9);
  if (text.slice(0, 9) !== `${seal(bare, body)}:`) return null;
  try {
    const carry: unknown = JSON.parse(body);
    return isRecord(carry) ? { bare, carry } : null;
  } catch {
    return null;
  }
}

/** Gives an envelope back what the carry holds. */
export function applyCarry(envelope: Envelope, { set, meta: more, drop = [] }: Carry): Envelope {
  const meta = Object.fromEntries(
    Object.entries({ ...envelope.meta, ...more }).filter(([key]) => !drop.includes(key)),
  );
  return { ...envelope, ...set, meta } as unknown as Envelope;
}

function toCarry(original: Envelope, restored: Envelope): Carry {
  const parts = Object.entries({
    set: differing(original, { ...restored, meta: original.meta }),
    meta: differing(original.meta, restored.meta),
    drop: Object.keys(restored.meta).filter((key) => !Object.hasOwn(original.meta, key)),
  });
  return Object.fromEntries(parts.filter(([, part]) => Object.keys(part).length > 0));
}

/** The members of one record that another does not hold alike. */
function differing(record: object, other: object): UnknownRecord {
  const entries = Object.entries(record).filter(
    ([key, value]) => !Object.hasOwn(other, key) || !isSameJson(value, (other as UnknownRecord)[key]),
  );
  return Object.fromEntries(entries);
}

/** Binds the carry to the envelope around it, so that a copied string is not mistaken for one. */
function seal(envelope: EnvelopeV1, body: string): string {
  const { tool_id, request_id, tier, error } = envelope;
  return shortHash(JSON.stringify([tool_id, request_id, tier, error?.error, error?.error_code, body]));
}
