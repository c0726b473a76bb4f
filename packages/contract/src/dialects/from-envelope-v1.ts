import type { Envelope } from "../envelope/envelope.ts";
import { isRecord, isSameJson, setOwn } from "../json/json-value.ts";
import type { EnvelopeV1 } from "./envelope-v1.ts";
import { applyCarry, splitCarry } from "./v1-carry.ts";
import { identityKey, liftFromV1, projectToV1 } from "./v1-projection.ts";

/**
 * Converts an envelope-v1 to response-v2 without loss: `toEnvelopeV1` gives it back as it was. Tier,
 * tool and capabilities, and whatever response-v2 cannot express, are kept in `meta.envelope_v1`.
 */
export function fromEnvelopeV1(given: EnvelopeV1): Envelope {
  const carried = splitCarry(given);
  return carried === null ? fromBareV1(given) : applyCarry(fromBareV1(carried.bare), carried.carry);
}

/** Converts an envelope-v1 that carries nothing; fields that would not come back are kept as they are. */
export function fromBareV1(given: EnvelopeV1): Envelope {
  const lifted = liftFromV1(given);
  const back = projectToV1(lifted);
  const restore: Record<string, unknown> = {};
  for (const key of Object.keys(given) as (keyof EnvelopeV1)[]) {
    if (!isSameJson(given[key], back[key])) setOwn(restore, key, given[key]);
  }
  if (Object.keys(restore).length === 0) return lifted;
  const identity = lifted.meta[identityKey];
  const kept = { ...(isRecord(identity) ? identity : {}), restore };
  return { ...lifted, meta: { ...lifted.meta, [identityKey]: kept } } as Envelope;
}
