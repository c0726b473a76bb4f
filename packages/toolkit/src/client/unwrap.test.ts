import {
  ContractError,
  type Envelope,
  envelopeSchema,
  errorCatalogue,
  errorResponse,
  type Failure,
  type FailureOptions,
  fromUnknown,
  successResponse,
} from "@foundry-mcp/contract";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { unwrap } from "./unwrap.ts";

/** Builds the failure again from the error that `unwrap` throws. */
function rebuild(failure: Failure): Failure {
  try {
    unwrap(failure);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ContractError);
    return fromUnknown(thrown, { requestId: "req_of_the_edge" });
  }
  throw new Error("unwrap did not throw");
}

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const anyOptions: fc.Arbitrary<FailureOptions> = fc.record(
  {
    errorCode: fc.oneof(
      fc.constantFrom(...Object.keys(errorCatalogue)),
      fc.stringMatching(/^[A-Z][A-Z_]{1,10}$/),
    ),
    errorType: fc.constantFrom("validation", "conflict", "internal", "own_type"),
    remediation: fc.string({ minLength: 1 }),
    details: fc.dictionary(word, fc.jsonValue()),
    data: fc.dictionary(word, fc.jsonValue()),
    requestId: fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/),
    warnings: fc.array(word),
    warningDetails: fc.array(fc.record({ code: word, message: word })),
    rateLimit: fc.constant({ limit: 5, remaining: 0, resetAt: "2026-01-01T00:00:00Z", retryAfter: 3 }),
    telemetry: fc.record({ durationMs: fc.nat() }),
    meta: fc.dictionary(word, fc.jsonValue()),
  },
  { requiredKeys: ["requestId"] },
);
const reserved = ["error_code", "error_type", "remediation", "details"];

describe("unwrap", () => {
  it("returns the payload of a success, typed", () => {
    const data = { n: 1 };
    const payload = unwrap(successResponse(data) as Envelope<{ n: number }>);
    expectTypeOf(payload).toEqualTypeOf<{ n: number }>();
    expect(payload).toBe(data);
  });

  it("throws an error from which the same failure can be built", () => {
    const message = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(message, anyOptions, (text, options) => {
        fc.pre(reserved.every((key) => !Object.hasOwn(options.data ?? {}, key)));
        const failure = errorResponse(text, options);
        expect(rebuild(failure)).toEqual(failure);
      }),
      { numRuns: 1_000 },
    );
  });

  it("carries code, type, remedy, details, further data and meta", () => {
    const failure = errorResponse("Too many", {
      errorCode: "RATE_LIMIT_EXCEEDED",
      details: { a: 1 },
      data: { retry_after_seconds: 3 },
      requestId: "req_1",
      meta: { own: true },
    });
    expect(() => unwrap(failure)).toThrow(
      expect.objectContaining({
        message: "Too many",
        code: "RATE_LIMIT_EXCEEDED",
        options: {
          errorCode: "RATE_LIMIT_EXCEEDED",
          errorType: "rate_limit",
          remediation: "Wait for retry_after_seconds, then call again.",
          details: { a: 1 },
          data: { retry_after_seconds: 3 },
          meta: { version: "response-v2", request_id: "req_1", own: true },
        },
      }),
    );
  });

  it("converts a failure whose meta the envelope builder would refuse", () => {
    const meta = {
      version: "response-v2",
      request_id: "r",
      content_fidelity: "full",
      dropped_content_ids: ["a"],
    } as const;
    const failure: Failure = { success: false, error: "Bad", data: { error_code: "CONFLICT" }, meta };
    expect(envelopeSchema.safeParse(failure).success).toBe(true);
    expect(rebuild(failure)).toMatchObject({
      error: "Bad",
      data: { error_code: "CONFLICT" },
      meta: { content_fidelity: "partial", dropped_content_ids: ["a"] },
    });
  });
});
