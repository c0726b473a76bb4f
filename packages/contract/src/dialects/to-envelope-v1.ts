import type { Envelope } from "../envelope/envelope.ts";
import { isRecord, isSameJson } from "../json/json-value.ts";
import { envelopeV1Validator } from "../schema/validators.ts";
import type { EnvelopeV1, Tier } from "./envelope-v1.ts";
import { fromBareV1 } from "./from-envelope-v1.ts";
import { carryKey, splitCarry, withCarry } from "./v1-carry.ts";
import { identityKey, projectToV1, pruneIdentity } from "./v1-projection.ts";

/** What envelope-v1 says of the tool that answered; response-v2 knows nothing of it. */
export interface ToolIdentity {
  readonly tier?: Tier;
  readonly toolId?: string;
  readonly toolVersion?: string;
  readonly capabilities?: readonly string[];
}

/**
 * Converts an envelope to envelope-v1 without loss: `fromEnvelopeV1` gives it back. What envelope-v1
 * has no place for travels as one string under `data._response_v2`, and only when there is any.
 */
export function toEnvelopeV1(envelope: Envelope, identity?: ToolIdentity): EnvelopeV1 {
  const original = identity === undefined ? envelope : withIdentity(envelope, identity);
  const plain = restoreFields(projectToV1(original), original);
  if (splitCarry(plain) === null && isSameJson(fromBareV1(plain), original)) return plain;
  const bare = { ...plain, data: toCarryingData(original, plain.data) };
  return withCarry(bare, original, fromBareV1(bare));
}

function withIdentity(envelope: Envelope, identity: ToolIdentity): Envelope {
  const known = envelope.meta[identityKey];
  const { tier, toolId, toolVersion, capabilities } = identity;
  const fields = pruneIdentity({
    ...(isRecord(known) ? known : {}),
    ...(tier === undefined ? {} : { tier }),
    ...(toolId === undefined ? {} : { tool_id: toolId }),
    ...(toolVersion === undefined ? {} : { tool_version: toolVersion }),
    ...(capabilities === undefined ? {} : { capabilities }),
  });
  const { [identityKey]: _, ...meta } = envelope.meta;
  return {
    ...envelope,
    meta: Object.keys(fields).length === 0 ? meta : { ...meta, [identityKey]: fields },
  } as Envelope;
}

/** Puts back the fields that `fromEnvelopeV1` found no other place for. */
function restoreFields(projected: EnvelopeV1, { meta }: Envelope): EnvelopeV1 {
  const identity = meta[identityKey];
  const restore = isRecord(identity) ? identity["restore"] : undefined;
  if (!isRecord(restore)) return projected;
  const restored = { ...projected, ...restore };
  return envelopeV1Validator().is(restored) ? restored : projected;
}

/** Data that can take the carry: an object, without a key of that name. */
function toCarryingData(envelope: Envelope, data: unknown): unknown {
  if (!isRecord(data)) return envelope.success ? {} : { success: false, error: envelope.error };
  const { [carryKey]: _, ...rest } = data;
  return rest;
}
