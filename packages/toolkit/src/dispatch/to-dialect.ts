import {
  type EncodedEnvelope,
  type Envelope,
  encodeEnvelope,
  type ToolIdentity,
  toEnvelopeV1,
  toJsonText,
  toResponseV1,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import { isSemanticVersion } from "../catalogue/semantic-version.ts";
import type { CallState } from "./call-state.ts";
import { featuresAt } from "./check-tier.ts";
import type { DispatchDeps } from "./dispatch-deps.ts";

/** An encoded response: the object `value` and its JSON `text`, both in the dialect that is sent. */
export interface EncodedResponse {
  /** The envelope in response-v2, regardless of the dialect that is sent. */
  readonly envelope: Envelope;
  /** The JSON of the envelope. */
  readonly json: string;
  readonly value: UnknownRecord;
  readonly text: string;
}

/** The parts of a call's state on which the encoded response depends. */
export interface DialectContext extends Pick<CallState, "dialect" | "tier" | "tool" | "target"> {
  readonly deps: Pick<DispatchDeps, "version" | "dialects" | "errors">;
}

/** Creates the context of a response that does not come from a tool. */
export function toDialectContext({ dialect, tier, version, dialects, errors }: Server): DialectContext {
  return { dialect, tier, tool: undefined, target: undefined, deps: { version, dialects, errors } };
}

type Server = Pick<DispatchDeps, "dialect" | "tier" | "version" | "dialects"> &
  Partial<Pick<DispatchDeps, "errors">>;

/** Encodes an envelope in the caller's dialect. */
export function toDialect(given: Envelope, context: DialectContext): EncodedResponse {
  const { envelope, text: json } = encode(given);
  const { dialect } = context;
  if (dialect === "response-v2") return { envelope, json, value: envelope as never, text: json };
  const value: object =
    dialect === "envelope-v1"
      ? toEnvelopeV1(withWholeDuration(envelope), identityOf(context))
      : toResponseV1(envelope);
  return { envelope, json, value: value as UnknownRecord, text: JSON.stringify(value) };
}

/** Returns the description of the tool for envelope-v1, with its capabilities at the caller's tier. */
function identityOf({ deps, tool, target, tier }: DialectContext): ToolIdentity {
  const { version, dialects, errors } = deps;
  const features = target === undefined ? [] : featuresAt(tier, target.action);
  return {
    tier,
    toolId: tool?.name ?? "",
    // If no tool was called, the response comes from the server itself, whose version may have any form.
    toolVersion: tool?.version ?? (isSemanticVersion(version) ? version : "0.0.0"),
    capabilities: [...dialects, ...features],
    ...(errors === undefined ? {} : { catalogue: errors }),
  };
}

function encode(given: Envelope): EncodedEnvelope {
  // The contract's builder created the success, so only values that JSON cannot represent can make it invalid.
  const written = given.success ? toJsonText(given) : undefined;
  const isUnchanged = written?.ok === true && written.value === given;
  return isUnchanged ? { envelope: given, text: written.text } : encodeChecked(given);
}

/**
 * Encodes an envelope. If the payload cannot be written as JSON, a failure replaces it, with the same request id
 * and duration.
 */
function encodeChecked(given: Envelope): EncodedEnvelope {
  const encoded = encodeEnvelope(given);
  const { request_id, client_request_id, telemetry } = given.meta;
  if (encoded.envelope.meta.telemetry !== undefined || telemetry === undefined) return encoded;
  const own = { request_id, telemetry, ...(client_request_id === undefined ? {} : { client_request_id }) };
  return encodeEnvelope({ ...encoded.envelope, meta: { ...encoded.envelope.meta, ...own } } as Envelope);
}

/**
 * Rounds the duration to whole milliseconds for envelope-v1, in which 0 means "not measured"; a fraction would need
 * an extra field.
 */
function withWholeDuration(envelope: Envelope): Envelope {
  const { telemetry } = envelope.meta;
  if (telemetry?.duration_ms === undefined) return envelope;
  const whole = { ...telemetry, duration_ms: Math.max(1, Math.round(telemetry.duration_ms)) };
  return { ...envelope, meta: { ...envelope.meta, telemetry: whole } } as Envelope;
}
