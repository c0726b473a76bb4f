import { blankText, unknownNote } from "./calls.ts";
import type { Call } from "./changes.ts";
import { admitAnything } from "./definition-changes.ts";
import { goodServerName } from "./good-server.ts";
import { isJson, type Json } from "./rpc.ts";
import { defineFault, type Fault, type Faults } from "./zoo-entry.ts";

/**
 * Changes envelopes of envelope-v1. Envelopes with data that only response-v2 has a place for depend on all of their
 * fields. These envelopes are not changed, because otherwise their paging would also be lost.
 */
function bend(change: (envelope: Json, call: Call) => Json, rest: Omit<Fault, "changes"> = {}): Fault {
  return defineFault(
    {
      definitions: admitAnything,
      envelope: (envelope, call) => (carriesMore(envelope["data"]) ? envelope : change(envelope, call)),
    },
    { dialect: "envelope-v1", ...rest },
  );
}

const carriesMore = (data: unknown) => isJson(data) && "_response_v2" in data;

/** Faults of envelope-v1 and of response-v1. */
export const envelopeV1Faults: Faults = {
  "ev1-missing-field": bend(({ upgrade_hints: hints, ...rest }) =>
    (hints as readonly unknown[]).length === 0 ? rest : { ...rest, upgrade_hints: hints },
  ),
  "ev1-unknown-tier": bend((envelope) => ({ ...envelope, tier: "gold" })),
  "ev1-version-number": bend((envelope) => ({ ...envelope, tool_version: 3 })),
  // A text has no place for the code and field that refusals of bad arguments must have. The fault therefore affects
  // only the refusal of an unknown note.
  "ev1-error-text": bend(
    (envelope, { refused }) =>
      refused === "not-found" ? { ...envelope, error: (envelope["error"] as Json)["error"] } : envelope,
    { calls: withoutCodes(unknownNote) },
  ),
  "ev1-other-code": bend(
    (envelope, { refused }) => (refused === "blank" ? withOtherCode(envelope) : envelope),
    {
      calls: withoutCodes(blankText),
    },
  ),
  "ev1-no-capability": bend((envelope) => ({ ...envelope, capabilities: [] })),
  "ev1-no-duration": bend((envelope) => ({ ...envelope, duration_ms: null })),
  "ev1-other-tool": bend((envelope) => ({ ...envelope, tool_id: goodServerName })),
  "ev1-hint-text": bend((envelope) => ({
    ...envelope,
    upgrade_hints: (envelope["upgrade_hints"] as readonly Json[]).map(({ reason }) => reason),
  })),
  // The caller's id differs in every call, so a constant id also breaks MCP-13.
  "ev1-same-id": defineFault({ requestId: () => "req_0" }, { dialect: "envelope-v1", also: ["MCP-13"] }),
  // Refusals of bad arguments keep their message, because other rules need it. An unknown action is identified by its
  // remediation.
  "rv1-no-message": defineFault(
    {
      envelope: ({ error, ...rest }, { refused }) =>
        error === undefined || refused === "unknown-action" || refused === "not-found"
          ? rest
          : { ...rest, error },
    },
    { dialect: "response-v1", calls: unknownNote },
  ),
};

/** Returns the calls without expected codes, because the fault removes the codes. */
function withoutCodes({ calls }: typeof unknownNote): typeof unknownNote {
  return { calls: calls.map(({ error_code: _, ...call }) => call) };
}

function withOtherCode(envelope: Json): Json {
  const { error, error_details } = envelope["error"] as Json;
  const details = { ...(error_details as Json), error_type: "validation" };
  return { ...envelope, error: { error, error_code: "BadInput", error_details: details } };
}
