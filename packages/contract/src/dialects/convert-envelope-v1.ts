import { encodeEnvelope } from "../builders/serialize-envelope.ts";
import type { Envelope } from "../envelope/envelope.ts";
import { ContractError } from "../errors/contract-error.ts";
import type { ErrorCatalogue } from "../errors/error-catalogue.ts";
import type { Tier } from "../errors/error-types.ts";
import { isRecord, isSameJson, setOwn, type UnknownRecord } from "../json/json-value.ts";
import { envelopeV1Validator } from "./dialect-schemas.ts";
import { type EnvelopeV1, envelopeV1Capability } from "./envelope-v1.ts";
import { identityKey, identityOf, mapFromV1, mapToV1, pruneIdentity } from "./v1-mapping.ts";
import { applyRemainder, remainderKey, splitRemainder, withRemainder } from "./v1-remainder.ts";

/** The fields of envelope-v1 that describe the tool; response-v2 has no such fields. */
export interface ToolIdentity {
  readonly tier?: Tier;
  readonly toolId?: string;
  readonly toolVersion?: string;
  readonly capabilities?: readonly string[];
  /** The error codes of the server, if the server defines its own. */
  readonly catalogue?: ErrorCatalogue;
}

/**
 * Converts an envelope to envelope-v1 without loss; `fromEnvelopeV1` restores the envelope. Content that
 * envelope-v1 cannot express is sent as one string under `data._response_v2`.
 */
export function toEnvelopeV1(envelope: Envelope<object>, identity: ToolIdentity = {}): EnvelopeV1 {
  const original = withIdentity(encodeEnvelope(envelope).envelope, identity);
  const plain = toPlainV1(original, identity.catalogue);
  if (splitRemainder(plain) === null && isSameJson(fromBareV1(plain), original)) return plain;
  const { [remainderKey]: _, ...data } = isRecord(plain.data)
    ? plain.data
    : { success: false, error: envelope.error };
  const bare = { ...plain, data };
  return withRemainder(bare, original, fromBareV1(bare));
}

function withIdentity(
  envelope: Envelope,
  { tier, toolId, toolVersion, capabilities }: ToolIdentity,
): Envelope {
  const given = Object.entries({
    tier,
    tool_id: toolId,
    tool_version: toolVersion,
    capabilities: capabilities && [...new Set([envelopeV1Capability, ...capabilities])],
  }).filter(([, value]) => value !== undefined);
  if (given.length === 0) return envelope;
  const identity = pruneIdentity({ ...identityOf(envelope), ...Object.fromEntries(given) });
  const { [identityKey]: _, ...meta } = envelope.meta;
  return {
    ...envelope,
    meta: Object.keys(identity).length === 0 ? meta : { ...meta, [identityKey]: identity },
  } as Envelope;
}

/**
 * Maps an envelope to envelope-v1, including the fields of an earlier envelope-v1 that `fromEnvelopeV1` stored in
 * `restore`. The sender of the envelope may have written anything there, so `restore` is used only if the result
 * converts back to exactly this envelope.
 */
function toPlainV1(envelope: Envelope, catalogue: ErrorCatalogue | undefined): EnvelopeV1 {
  const { restore } = identityOf(envelope);
  const mapped = mapToV1(envelope, catalogue);
  const restored = { ...mapped, ...(isRecord(restore) ? restore : {}) };
  return envelopeV1Validator.is(restored) && isSameJson(fromBareV1(restored), envelope) ? restored : mapped;
}

/**
 * Converts an envelope-v1 to response-v2 without loss; `toEnvelopeV1` restores the envelope-v1. Tier, tool,
 * capabilities and all other data that response-v2 cannot express are kept in `meta.envelope_v1`.
 */
export function fromEnvelopeV1(given: EnvelopeV1): Envelope {
  if (!envelopeV1Validator.is(given)) {
    throw new ContractError("Cannot convert what is no envelope-v1", { errorCode: "INVALID_FORMAT" });
  }
  const split = splitRemainder(given);
  return split === null ? fromBareV1(given) : applyRemainder(fromBareV1(split.bare), split.remainder);
}

/**
 * Converts an envelope-v1 without a remainder. Fields that `toEnvelopeV1` could not reconstruct are stored in
 * `restore`.
 */
function fromBareV1(given: EnvelopeV1): Envelope {
  const mapped = mapFromV1(given);
  const back = mapToV1(mapped) as unknown as UnknownRecord;
  const restore: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given))
    if (!Object.hasOwn(back, key) || !isSameJson(value, back[key])) setOwn(restore, key, value);
  if (Object.keys(restore).length === 0) return mapped;
  return {
    ...mapped,
    meta: { ...mapped.meta, [identityKey]: { ...identityOf(mapped), restore } },
  } as Envelope;
}
