import type { Envelope } from "../envelope/envelope.ts";
import { encodeEnvelope } from "../envelope/serialize-envelope.ts";
import type { ErrorCatalogue } from "../errors/error-catalogue.ts";
import { isRecord, isSameJson } from "../json/json-value.ts";
import { envelopeV1Validator } from "../schema/validators.ts";
import { type EnvelopeV1, envelopeV1Capability, type Tier } from "./envelope-v1.ts";
import { fromBareV1 } from "./from-envelope-v1.ts";
import { carryKey, splitCarry, withCarry } from "./v1-carry.ts";
import { identityKey, identityOf, projectToV1, pruneIdentity } from "./v1-projection.ts";

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
