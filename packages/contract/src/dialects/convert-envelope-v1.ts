import { encodeEnvelope } from "../builders/serialize-envelope.ts";
import type { Envelope } from "../envelope/envelope.ts";
import { ContractError } from "../errors/contract-error.ts";
import type { ErrorCatalogue } from "../errors/error-catalogue.ts";
import type { Tier } from "../errors/error-types.ts";
import { isRecord, isSameJson, setOwn, type UnknownRecord } from "../json/json-value.ts";
import { envelopeV1Validator } from "./dialect-schemas.ts";
import { type EnvelopeV1, envelopeV1Capability } from "./envelope-v1.ts";
import { identityKey, identityOf, liftFromV1, projectToV1, pruneIdentity } from "./v1-mapping.ts";
import { applyCarry, carryKey, splitCarry, withCarry } from "./v1-remainder.ts";

/** What envelope-v1 says of the tool that answered; response-v2 knows nothing of it. */
export interface ToolIdentity {
  readonly tier?: Tier;
  readonly toolId?: string;
  readonly toolVersion?: string;
  readonly capabilities?: readonly string[];
  /** The error codes of the server, where it has its own. */
  readonly catalogue?: ErrorCatalogue;
}

/**
 * Converts an envelope to envelope-v1 without loss: `fromEnvelopeV1` gives it back. What envelope-v1
 * has no place for travels as one string under `data._response_v2`, and only when there is any.
 */
export function toEnvelopeV1(envelope: Envelope<object>, identity: ToolIdentity = {}): EnvelopeV1 {
  const original = withIdentity(encodeEnvelope(envelope).envelope, identity);
  const plain = toPlainV1(original, identity.catalogue);
  if (splitCarry(plain) === null && isSameJson(fromBareV1(plain), original)) return plain;
  const { [carryKey]: _, ...data } = isRecord(plain.data)
    ? plain.data
    : { success: false, error: envelope.error };
  const bare = { ...plain, data };
  return withCarry(bare, original, fromBareV1(bare));
}

function withIdentity(
  envelope: Envelope,
  { tier, toolId, toolVersion, capabilities }: ToolIdentity,
): Envelope {
  const told = Object.entries({
    tier,
    tool_id: toolId,
    tool_version: toolVersion,
    capabilities: capabilities && [...new Set([envelopeV1Capability, ...capabilities])],
  }).filter(([, value]) => value !== undefined);
  if (told.length === 0) return envelope;
  const identity = pruneIdentity({ ...identityOf(envelope), ...Object.fromEntries(told) });
  const { [identityKey]: _, ...meta } = envelope.meta;
  return {
    ...envelope,
    meta: Object.keys(identity).length === 0 ? meta : { ...meta, [identityKey]: identity },
  } as Envelope;
}

/**
 * With the fields put back that `fromEnvelopeV1` found no other place for. Anyone may have written to
 * that place, so they count only where they lead to this very envelope.
 */
function toPlainV1(envelope: Envelope, catalogue: ErrorCatalogue | undefined): EnvelopeV1 {
  const { restore } = identityOf(envelope);
  const projected = projectToV1(envelope, catalogue);
  const restored = { ...projected, ...(isRecord(restore) ? restore : {}) };
  return envelopeV1Validator.is(restored) && isSameJson(fromBareV1(restored), envelope)
    ? restored
    : projected;
}

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
