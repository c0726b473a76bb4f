import { blankText, unknownNote } from "./calls.ts";
import type { Call } from "./changes.ts";
import { admitAnything, onTool } from "./definition-changes.ts";
import type { RefusalKind } from "./refusal.ts";
import type { Json } from "./rpc.ts";
import { defineFault, type Fault, type Faults } from "./zoo-entry.ts";

/** Changes the envelope and allows the change in the output schema, so that only the envelope is wrong. */
function bendEnvelope(envelope: (envelope: Json, call: Call) => Json, rest: Omit<Fault, "changes"> = {}) {
  return defineFault({ definitions: admitAnything, envelope }, rest);
}

function bendMeta(meta: (meta: Json) => Json) {
  return defineFault({ definitions: admitAnything, meta });
}

const isEcho = ({ tool, refused }: Call) => tool === "echo" && refused === undefined;

/**
 * The refusals to which faults apply. Refusals of bad arguments are subject to separate rules and are not changed.
 */
const otherRefusals: readonly (RefusalKind | undefined)[] = ["unknown-action", "not-found", "cursor"];

/** Faults of a response-v2 envelope. */
export const shapeFaults: Faults = {
  "no-envelope": defineFault(
    {
      definitions: onTool("echo", ({ outputSchema: _, ...rest }) => rest),
      result: (result, call) => (isEcho(call) ? { content: [{ type: "text", text: "hello" }] } : result),
    },
    // Without structured content, the server cannot satisfy an output schema, so it declares none.
    { also: ["MCP-06"] },
  ),
  "payload-only": bendEnvelope((envelope, call) => (isEcho(call) ? (envelope["data"] as Json) : envelope)),
  "missing-key": bendEnvelope((envelope) => (envelope["error"] === null ? withoutError(envelope) : envelope)),
  "extra-key": bendEnvelope((envelope) => ({ ...envelope, timestamp: "2026-01-09T12:00:00Z" })),
  "error-on-success": bendEnvelope((envelope) => ({
    ...envelope,
    error: envelope["error"] ?? "All is well",
  })),
  "empty-error": bendEnvelope((envelope, { refused }) =>
    otherRefusals.includes(refused) ? { ...envelope, error: "" } : envelope,
  ),
  "data-array": bendEnvelope((envelope, call) =>
    isEcho(call) ? { ...envelope, data: ["hello"] } : envelope,
  ),
  "envelope-in-data": bendEnvelope((envelope, call) =>
    isEcho(call) ? { ...envelope, data: envelope } : envelope,
  ),
  "data-null": bendEnvelope((envelope, call) => (isEcho(call) ? { ...envelope, data: null } : envelope)),
  "other-version": bendMeta((meta) => ({ ...meta, version: "response-v3" })),
  "warnings-text": bendMeta(({ version, request_id, warnings: _, ...rest }) => ({
    version,
    request_id,
    warnings: "All is well",
    ...rest,
  })),
  "duration-text": bendMeta((meta) => ({ ...meta, telemetry: { duration_ms: "12ms" } })),
  "empty-warnings": bendMeta(({ version, request_id, ...rest }) => ({
    version,
    request_id,
    warnings: [],
    ...rest,
  })),
  "meta-in-data": defineFault({
    data: (data, call) => (isEcho(call) ? { ...data, _warnings: ["The text came from a cache"] } : data),
  }),
  "key-order": bendEnvelope(({ meta, ...rest }) => ({ meta, ...rest })),
  "text-not-json": defineFault({
    data: (data, call) => (isEcho(call) ? { ...data, loudness: null } : data),
    result: (result, call) => (isEcho(call) ? { ...result, content: [withNaN(result)] } : result),
  }),
  "code-number": bendEnvelope((envelope, { refused }) =>
    refused === "missing" || refused === "type" ? withData(envelope, { error_code: 400 }) : envelope,
  ),
  "no-remediation": bendEnvelope((envelope, { refused }) =>
    refused === "missing" || refused === "type" || refused === "not-found"
      ? withData(envelope, { remediation: undefined })
      : envelope,
  ),
  "code-lower-case": bendEnvelope((envelope, { refused }) =>
    refused === "unknown-argument" || refused === "unknown-action"
      ? withData(envelope, { error_code: "validation_error" })
      : envelope,
  ),
  "no-fidelity-version": defineFault({
    meta: ({ content_fidelity_schema_version: _, ...rest }) => rest,
  }),
  // Another rule requires refusals of bad arguments to have the type validation. The fault therefore affects only the
  // refusal of an unknown note.
  "unknown-type": defineFault(
    { refusal: (refusal) => (refusal.kind === "not-found" ? { ...refusal, type: "oops" } : refusal) },
    { calls: unknownNote },
  ),
  "wrong-type": defineFault(
    { refusal: (refusal) => (refusal.kind === "blank" ? { ...refusal, type: "internal" } : refusal) },
    { calls: blankText },
  ),
  "no-request-id": defineFault({ requestId: () => undefined }),
  "no-retry-after": defineFault({
    refuses: (count) =>
      count % 3 === 0
        ? {
            kind: "throttled",
            code: "RATE_LIMIT_EXCEEDED",
            type: "rate_limit",
            message: "Too many calls",
            remediation: "Call again later.",
          }
        : undefined,
  }),
};

function withoutError({ error: _, ...rest }: Json): Json {
  return rest;
}

function withData(envelope: Json, change: Json): Json {
  const entries = Object.entries({ ...(envelope["data"] as Json), ...change });
  return { ...envelope, data: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

function withNaN({ structuredContent }: Json): Json {
  return {
    type: "text",
    text: JSON.stringify(structuredContent).replace('"loudness":null', '"loudness":NaN'),
  };
}
