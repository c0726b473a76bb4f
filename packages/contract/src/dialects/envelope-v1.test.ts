import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromUnknown } from "../builders/from-unknown.ts";
import { errorResponse, successResponse } from "../builders/responses.ts";
import { checkEnvelope } from "../envelope/check-envelope.ts";
import { defineErrors } from "../errors/define-errors.ts";
import { upgradeRequired } from "../errors/failures.ts";
import { anyEnvelope, anyEnvelopeV1 } from "../testing/arbitraries.ts";
import { fromEnvelopeV1, toEnvelopeV1 } from "./convert-envelope-v1.ts";
import { envelopeV1Validator } from "./dialect-schemas.ts";
import { readEnvelope } from "./read-envelope.ts";

// The proofs (`*.prove.test.ts`) check both properties with 10,000 runs.
const runs = { numRuns: 1_000 };

describe("response-v2 and envelope-v1", () => {
  it("restores every response-v2 envelope from a valid envelope-v1", () => {
    fc.assert(
      fc.property(anyEnvelope, (envelope) => {
        const wire: unknown = JSON.parse(JSON.stringify(toEnvelopeV1(envelope)));
        expect(envelopeV1Validator.problems(wire)).toEqual([]);
        expect(fromEnvelopeV1(wire as never)).toEqual(envelope);
      }),
      runs,
    );
  });

  it("restores every envelope-v1 from a valid response-v2 envelope", () => {
    fc.assert(
      fc.property(anyEnvelopeV1, (envelope) => {
        const wire: unknown = JSON.parse(JSON.stringify(fromEnvelopeV1(envelope)));
        expect(checkEnvelope(wire).filter(({ level }) => level === "MUST")).toEqual([]);
        expect(toEnvelopeV1(wire as never)).toEqual(envelope);
      }),
      runs,
    );
  });

  it("writes a plain success as documented, without a remainder", () => {
    const envelope = successResponse(
      { success: true, risk_level: "high", findings: [] },
      { requestId: "8b3e5f6c0a2f4ed4a3fb9e0b2f8f8d3a", telemetry: { durationMs: 27 } },
    );
    expect(toEnvelopeV1(envelope, { tier: "pro", toolId: "security_scan", toolVersion: "3.2.8" })).toEqual({
      tier: "pro",
      tool_version: "3.2.8",
      tool_id: "security_scan",
      request_id: "8b3e5f6c0a2f4ed4a3fb9e0b2f8f8d3a",
      capabilities: ["envelope-v1"],
      duration_ms: 27,
      error: null,
      upgrade_hints: [],
      data: { success: true, risk_level: "high", findings: [] },
    });
  });

  it.each([
    ["a success", successResponse({ a: 1 })],
    ["a failure", errorResponse("No")],
    ["other counters", successResponse({ a: 1 }, { telemetry: { db_queries: 3 } })],
    ["a duration of nothing", successResponse({ a: 1 }, { telemetry: { durationMs: 0 } })],
  ])("writes a duration of 0 where none was measured: %s", (_, envelope) => {
    const v1 = toEnvelopeV1(envelope);
    expect(v1.duration_ms).toBe(0);
    expect(fromEnvelopeV1(v1)).toEqual(envelope);
  });

  it("converts an upgrade hint to a warning and back", () => {
    const failure = fromUnknown(
      upgradeRequired({ feature: "cross_file", tier: "pro", reason: "Crosses files" }),
    );
    const v1 = toEnvelopeV1(failure, { tier: "community", toolId: "scan", toolVersion: "1.0.0" });
    expect(v1).toEqual({
      tier: "community",
      tool_version: "1.0.0",
      tool_id: "scan",
      request_id: "",
      capabilities: ["envelope-v1"],
      duration_ms: 0,
      error: {
        error: "Crosses files",
        error_code: "upgrade_required",
        error_details: {
          feature: "cross_file",
          tier: "pro",
          remediation: "Upgrade to the pro tier, or call without cross_file.",
        },
      },
      upgrade_hints: [{ feature: "cross_file", tier: "pro", reason: "Crosses files" }],
      data: { success: false, error: "Crosses files" },
    });
    expect(fromEnvelopeV1(v1)).toEqual({
      ...failure,
      meta: { ...failure.meta, envelope_v1: { tool_id: "scan", tool_version: "1.0.0" } },
    });
  });

  it("always adds envelope-v1 to the given capabilities", () => {
    expect(toEnvelopeV1(successResponse(), { capabilities: ["deep_scan"] }).capabilities).toEqual([
      "envelope-v1",
      "deep_scan",
    ]);
  });

  it("does not promote a code that a foreign server put into its details", () => {
    const v1 = {
      ...toEnvelopeV1(successResponse()),
      error: { error: "x", error_code: "timeout", error_details: { error_code: "e 1" } },
      data: null,
    };
    expect(fromEnvelopeV1(v1).data).toMatchObject({ error_code: "TIMEOUT", details: { error_code: "e 1" } });
  });

  it("does not let meta override the identity or turn a failure into a success", () => {
    const forged = {
      envelope_v1: {
        restore: { tier: "enterprise", tool_id: "evil", error: null, data: { ok: true } },
        data_shape: "wrapped",
      },
    };
    const answers = [
      successResponse({}, { meta: forged }),
      fromUnknown(new Error("x"), { meta: forged }),
    ].map((each) => toEnvelopeV1(each, { tier: "community", toolId: "mine" }));
    expect(answers.map(({ tier, tool_id, error }) => [tier, tool_id, error === null])).toEqual([
      ["community", "mine", true],
      ["community", "mine", false],
    ]);
  });

  it("sends the envelope-v1 code that a server gave its own error", () => {
    const errors = defineErrors({
      BUILD_GONE: { type: "conflict", v1: "not_found", remediation: "Build again." },
    });
    const failure = fromUnknown(errors.error("BUILD_GONE", "Build 41 is gone"));
    const v1 = toEnvelopeV1(failure, { catalogue: errors.catalogue });
    expect([v1.error?.error_code, fromEnvelopeV1(v1)]).toEqual(["not_found", failure]);
  });

  it("does not call a toString of the payload", () => {
    const envelope = successResponse({
      success: false,
      error: { toString: null },
      warnings: [{ toString: 1 }],
    });
    expect(fromEnvelopeV1(toEnvelopeV1(envelope))).toEqual(envelope);
    const odd = { success: false, schema_version: "1.0.0", error: "x", error_code: { toString: null } };
    expect(readEnvelope(odd)).toMatchObject({
      success: false,
      error: "x",
      data: { error_code: '{"toString":null}' },
    });
  });

  it("refuses a value that is no envelope-v1", () => {
    expect(() => fromEnvelopeV1(null as never)).toThrow("Cannot convert what is no envelope-v1");
  });

  it("treats a string under the remainder's key as payload when its checksum is of another envelope", () => {
    const copied = { _response_v2: '00000000:{"success":false,"error":"forged"}' };
    const v1 = { ...toEnvelopeV1(successResponse({})), data: copied };
    expect(fromEnvelopeV1(v1)).toEqual(successResponse(copied));
  });
});
