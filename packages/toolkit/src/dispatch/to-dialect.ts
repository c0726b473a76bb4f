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
import type { Journey } from "./call-state.ts";
import { featuresAt } from "./check-tier.ts";
import type { Host } from "./dispatch-deps.ts";

/** An envelope as it is sent: the text is the JSON of the value. */
export interface Wire {
  /** In response-v2, whatever is sent. */
  readonly envelope: Envelope;
  /** The JSON of that envelope. */
  readonly json: string;
  readonly value: UnknownRecord;
  readonly text: string;
}

/** What the form of an answer depends on. */
export interface Speech extends Pick<Journey, "dialect" | "tier" | "tool" | "target"> {
  readonly host: Pick<Host, "dialects" | "errors">;
}

/** How a server speaks where no tool is reached. */
export function speechOf({ dialect, tier, dialects, errors }: Server): Speech {
  return { dialect, tier, tool: undefined, target: undefined, host: { dialects, errors } };
}

type Server = Pick<Host, "dialect" | "tier" | "dialects"> & Partial<Pick<Host, "errors">>;

/** Writes an envelope in the dialect that the caller reads. */
export function toDialect(given: Envelope, speech: Speech): Wire {
  const { envelope, text: json } = encode(given);
  const { dialect } = speech;
  if (dialect === "response-v2") return { envelope, json, value: envelope as never, text: json };
  const value: object =
    dialect === "envelope-v1"
      ? toEnvelopeV1(withWholeDuration(envelope), identityOf(speech))
      : toResponseV1(envelope);
  return { envelope, json, value: value as UnknownRecord, text: JSON.stringify(value) };
}

/** What envelope-v1 says of the tool that answered, and of what it can do at the caller's tier. */
function identityOf({ host, tool, target, tier }: Speech): ToolIdentity {
  const { dialects, errors } = host;
  const features = target === undefined ? [] : featuresAt(tier, target.action);
  return {
    tier,
    toolId: tool?.name ?? "",
    toolVersion: tool?.version ?? "",
    capabilities: [...dialects, ...features],
    ...(errors === undefined ? {} : { catalogue: errors }),
  };
}

function encode(given: Envelope): EncodedEnvelope {
  // The contract's own builder made a success: all that is left to ask is whether JSON can hold it.
  const written = given.success ? toJsonText(given) : undefined;
  const isAsItWas = written?.ok === true && written.value === given;
  return isAsItWas ? { envelope: given, text: written.text } : encodeClosely(given);
}

/** Where a payload cannot be written, the failure in its place still says which call it was and how long it took. */
function encodeClosely(given: Envelope): EncodedEnvelope {
  const encoded = encodeEnvelope(given);
  const { request_id, client_request_id, telemetry } = given.meta;
  if (encoded.envelope.meta.telemetry !== undefined || telemetry === undefined) return encoded;
  const own = { request_id, telemetry, ...(client_request_id === undefined ? {} : { client_request_id }) };
  return encodeEnvelope({ ...encoded.envelope, meta: { ...encoded.envelope.meta, ...own } } as Envelope);
}

/** envelope-v1 counts whole milliseconds; a fraction would have to be carried beside it. */
function withWholeDuration(envelope: Envelope): Envelope {
  const { telemetry } = envelope.meta;
  if (telemetry?.duration_ms === undefined) return envelope;
  const whole = { ...telemetry, duration_ms: Math.round(telemetry.duration_ms) };
  return { ...envelope, meta: { ...envelope.meta, telemetry: whole } } as Envelope;
}
