import type { Envelope } from "../envelope/envelope.ts";
import { ContractError } from "../errors/contract-error.ts";
import { isSameJson, setOwn, type UnknownRecord } from "../json/json-value.ts";
import { envelopeV1Validator } from "../schema/validators.ts";
import type { EnvelopeV1 } from "./envelope-v1.ts";
import { applyCarry, splitCarry } from "./v1-carry.ts";
import { identityKey, identityOf, liftFromV1, projectToV1 } from "./v1-projection.ts";

/**
 * Converts an envelope-v1 to response-v2 without loss: `toEnvelopeV1` gives it back as it was. Tier,
 * tool and capabilities, and whatever response-v2 cannot express, are kept in `meta.envelope_v1`.
 */
export function fromEnvelopeV1(given: EnvelopeV1): Envelope {
  if (!envelopeV1Validator.is(given)) {
    throw new ContractError("Cannot convert what is no envelope-v1", { errorCode: "INVALID_FORMAT" });
  }
  const carried = splitCarry(given);
  return carried === null ? fromBareV1(given) : applyCarry(fromBareV1(carried.bare), carried.carry);
}

/** Converts an envelope-v1 that carries nothing; fields that would not come back are kept as they are. */
export function fromBareV1(given: EnvelopeV1): Envelope {
  const lifted = liftFromV1(given);
  const back = projectToV1(lifted) as unknown as UnknownRecord;
  const restore: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given))
    if (!Object.hasOwn(back, key) || !isSameJson(value, back[key])) setOwn(restore, key, value);
  if (Object.keys(restore).length === 0) return lifted;
  return {
    ...lifted,
    meta: { ...lifted.meta, [identityKey]: { ...identityOf(lifted), restore } },
  } as Envelope;
}
