import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { checkEnvelope } from "../envelope/check-envelope.ts";
import type { Envelope } from "../envelope/envelope.ts";
import { ContractError, isContractError } from "../errors/contract-error.ts";
import { anyValue, jsonObject } from "../testing/arbitraries.ts";
import { fromUnknown } from "./from-unknown.ts";
import { errorResponse, successResponse } from "./responses.ts";
import { encodeEnvelope, serializeEnvelope } from "./serialize-envelope.ts";

/** Returns the built envelope, or "refused" after a typed error. */
function tryToBuild(build: () => Envelope): Envelope | "refused" {
  try {
    return build();
  } catch (thrown) {
    expect(isContractError(thrown)).toBe(true);
    return "refused";
  }
}

describe("successResponse", () => {
  it("writes every reserved key in the order of the contract", () => {
    const envelope = successResponse(
      { tasks: [] },
      {
        meta: { custom: 1 },
        contentArchiveHashes: { "archive-001": "sha256:abc" },
        droppedContentIds: ["finding-003"],
        contentFidelity: "partial",
        telemetry: { durationMs: 12.34567, db_queries: 3 },
        rateLimit: { limit: 100, remaining: 45, resetAt: new Date("2025-01-15T10:30:00Z"), retryAfter: 2 },
        pagination: { cursor: null, hasMore: false, totalCount: 2, pageSize: 2 },
        warningDetails: [{ code: "STALE_CACHE", severity: "warning", message: "old" }],
        warnings: "note",
        requestId: "req_abc123",
      },
    );
    expect(serializeEnvelope(envelope)).toBe(
      '{"success":true,"data":{"tasks":[]},"error":null,"meta":{"version":"response-v2","request_id":"req_abc123",' +
        '"warnings":["note","old"],"warning_details":[{"code":"STALE_CACHE","severity":"warning","message":"old"}],' +
        '"pagination":{"cursor":null,"has_more":false,"total_count":2,"page_size":2},' +
        '"rate_limit":{"limit":100,"remaining":45,"reset_at":"2025-01-15T10:30:00.000Z","retry_after":2},' +
        '"telemetry":{"duration_ms":12.346,"db_queries":3},"content_fidelity_schema_version":"1.0","content_fidelity":"partial",' +
        '"dropped_content_ids":["finding-003"],"content_archive_hashes":{"archive-001":"sha256:abc"},"custom":1}}',
    );
    expect(checkEnvelope(envelope, { deep: true })).toEqual([]);
  });

  it("accepts shapes in wire spelling", () => {
    const { meta } = successResponse(
      {},
      { pagination: { cursor: "c", has_more: true, page_size: 5 }, telemetry: { duration_ms: 1 } },
    );
    expect(meta).toEqual({
      version: "response-v2",
      pagination: { cursor: "c", has_more: true, page_size: 5 },
      telemetry: { duration_ms: 1 },
    });
  });

  it.each([undefined, null, "", 0, false])("sends {} for %j", (data) => {
    expect(successResponse(data as never)).toEqual({
      success: true,
      data: {},
      error: null,
      meta: { version: "response-v2" },
    });
  });

  it("takes the payload by reference, neither copied nor changed", () => {
    const data = Object.freeze({ rows: Object.freeze([1]) });
    expect(successResponse(data, { warnings: ["w"] }).data).toBe(data);
  });

  it("infers the payload's type and narrows on success", () => {
    const envelope = successResponse({ count: 1 }) as Envelope<{ count: number }>;
    if (envelope.success) expectTypeOf(envelope.data.count).toEqualTypeOf<number>();
    else expectTypeOf(envelope.error).toEqualTypeOf<string>();
  });

  it.each<[string, () => unknown, string]>([
    [
      "an array",
      () => successResponse([1] as never),
      "$.data must be an object; put other payloads under a named key",
    ],
    [
      "a text",
      () => successResponse("text" as never),
      "$.data must be an object; put other payloads under a named key",
    ],
    [
      "dropped ids at full fidelity",
      () => successResponse({}, { droppedContentIds: ["a"] }),
      "$.meta.content_fidelity must be below full when content is dropped",
    ],
    [
      "a request id with a space",
      () => successResponse({}, { requestId: "a b" }),
      "$.meta.request_id Invalid string: must match pattern",
    ],
    [
      "a reserved key of the wrong type",
      () => successResponse({}, { meta: { warnings: "text" } }),
      "$.meta.warnings Invalid input: expected array, received string",
    ],
    [
      "another version",
      () => successResponse({}, { meta: { version: "response-v3" } }),
      '$.meta.version Invalid input: expected "response-v2"',
    ],
    ["a meta that is a list", () => successResponse({}, { meta: [] as never }), "$.meta must be an object"],
    [
      "an invalid date",
      () => successResponse({}, { rateLimit: { limit: 1, remaining: 0, resetAt: new Date(Number.NaN) } }),
      "$.meta.rate_limit.reset_at Invalid input: expected string, received Date",
    ],
  ])("refuses %s", (_, build, message) => {
    expect(build).toThrow(ContractError);
    expect(build).toThrow(message);
  });

  it("enforces the fidelity rule for options and for meta keys", () => {
    expect(() => successResponse({}, { meta: { dropped_content_ids: ["a"] } })).toThrow("must be below full");
    expect(
      successResponse({}, { meta: { content_fidelity: "partial" }, droppedContentIds: ["a"] }).meta,
    ).toEqual({
      version: "response-v2",
      content_fidelity_schema_version: "1.0",
      content_fidelity: "partial",
      dropped_content_ids: ["a"],
    });
  });

  it("accepts null as no options", () => {
    expect(successResponse({}, null as never)).toEqual(successResponse());
    expect(errorResponse("x", null as never)).toEqual(errorResponse("x"));
  });

  it("leaves out keys without a value", () => {
    const options = {
      warnings: [],
      warningDetails: [],
      contentArchiveHashes: {},
      requestId: undefined,
      meta: { request_id: null, own: null },
    };
    expect(successResponse({}, options).meta).toEqual({ version: "response-v2", own: null });
  });
});

describe("errorResponse", () => {
  it("fills in code, type and remediation from the catalogue", () => {
    expect(errorResponse("It broke")).toEqual({
      success: false,
      data: {
        error_code: "INTERNAL_ERROR",
        error_type: "internal",
        remediation: "Try again; if the call fails again, report the failure with the request id.",
      },
      error: "It broke",
      meta: { version: "response-v2" },
    });
  });

  it("builds the documented examples", () => {
    expect(
      errorResponse("Rate limit exceeded: 100 requests per minute", {
        errorCode: "RATE_LIMIT_EXCEEDED",
        errorType: "rate_limit",
        data: { retry_after_seconds: 45 },
        remediation: "Wait 45 seconds before retrying. Consider batching requests.",
        rateLimit: { limit: 100, remaining: 0, resetAt: "2025-01-15T10:30:00Z" },
      }),
    ).toEqual({
      success: false,
      data: {
        error_code: "RATE_LIMIT_EXCEEDED",
        error_type: "rate_limit",
        remediation: "Wait 45 seconds before retrying. Consider batching requests.",
        retry_after_seconds: 45,
      },
      error: "Rate limit exceeded: 100 requests per minute",
      meta: {
        version: "response-v2",
        rate_limit: { limit: 100, remaining: 0, reset_at: "2025-01-15T10:30:00Z" },
      },
    });
  });

  it("prefers keys of data over options, and takes type and remediation from the resulting code", () => {
    const given = errorResponse("x", {
      errorCode: "CONFLICT",
      details: { a: 1 },
      data: { error_code: "NOT_FOUND", details: { b: 2 }, extra: true },
    });
    expect(given.data).toEqual({
      error_code: "NOT_FOUND",
      error_type: "not_found",
      remediation: "Check the identifier and call again.",
      details: { b: 2 },
      extra: true,
    });
    expect(errorResponse("x", { data: { error_code: "ALREADY_EXISTS" } }).data.error_code).toBe(
      "DUPLICATE_ENTRY",
    );
    expect(errorResponse("x", { errorType: "conflict" }).data.error_code).toBe("CONFLICT");
    expect(errorResponse("x", { errorCode: "" }).data.error_code).toBe("INTERNAL_ERROR");
  });

  it("keeps payload and meta keys that are named like members of Object.prototype", () => {
    const key = { constructor: 1, toString: 2 };
    expect(JSON.parse(serializeEnvelope(errorResponse("x", { data: key, meta: key })))).toMatchObject({
      data: key,
      meta: key,
    });
  });

  it.each(["", "   ", "\n", undefined, null, 5])("refuses the message %j", (message) => {
    expect(() => errorResponse(message as never)).toThrow("$.error must not be blank");
  });

  it("refuses fields of the wrong type", () => {
    expect(() => errorResponse("x", { data: { details: "text" } })).toThrow(
      "$.data.details Invalid input: expected object, received string",
    );
    expect(() => errorResponse("x", { data: [] as never })).toThrow("$.data must be an object");
  });
});

describe("the builders", () => {
  it("satisfy E1 to E9 for arbitrary payloads, or refuse with a typed error", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (data, extra) => {
        for (const build of [
          () => successResponse(data as never, { meta: extra as never }),
          () => errorResponse("failed", { data: data as never, meta: extra as never }),
        ]) {
          const built = tryToBuild(build);
          if (built === "refused") continue;
          const written: unknown = JSON.parse(serializeEnvelope(built));
          expect(checkEnvelope(written, { deep: true }).filter(({ level }) => level === "MUST")).toEqual([]);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it("satisfy every rule, recommended ones included, for plain payloads", () => {
    fc.assert(
      fc.property(jsonObject, (data) => {
        const { _meta: _, _warnings: __, ...payload } = data;
        const written: unknown = JSON.parse(
          serializeEnvelope(successResponse(payload, { requestId: "req_1", warnings: "w" })),
        );
        expect(checkEnvelope(written, { deep: true })).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("an option in the spelling of the wire", () => {
  it.each([
    ["request_id", "requestId"],
    ["warning_details", "warningDetails"],
    ["rate_limit", "rateLimit"],
    ["content_fidelity", "contentFidelity"],
    ["dropped_content_ids", "droppedContentIds"],
    ["content_archive_hashes", "contentArchiveHashes"],
    ["error_code", "errorCode"],
    ["error_type", "errorType"],
  ])("%s is refused, and %s is named", (key, name) => {
    const options = { [key]: "x" } as object;
    for (const [builder, build] of [
      ["successResponse", () => successResponse({}, options)],
      ["errorResponse", () => errorResponse("No", options)],
      ["ContractError", () => new ContractError("No", options)],
    ] as const) {
      expect(build).toThrow(
        new TypeError(`Cannot build the answer: ${builder} takes no option ${key}; write ${name}`),
      );
    }
  });

  it("without a value is no option, and an unknown option is left alone", () => {
    expect(successResponse({}, { request_id: undefined, colour: "red" } as object)).toEqual(
      successResponse(),
    );
    const unknown = { snake_case: 1, error_code: undefined } as object;
    expect(errorResponse("No", unknown)).toEqual(errorResponse("No"));
    expect(fromUnknown(new ContractError("No", unknown))).toEqual(errorResponse("No"));
  });
});

describe("encodeEnvelope", () => {
  it("orders the keys of a foreign envelope", () => {
    const foreign = {
      meta: { telemetry: { duration_ms: 1 }, own: 1, request_id: "r", version: "response-v2" as const },
      error: null,
      data: { a: 1 },
      success: true as const,
    };
    expect(serializeEnvelope(foreign)).toBe(
      '{"success":true,"data":{"a":1},"error":null,"meta":{"version":"response-v2","request_id":"r","telemetry":{"duration_ms":1},"own":1}}',
    );
  });

  it("returns INTERNAL_ERROR with the JSON path and the request id when the payload cannot be written", () => {
    const { envelope, text } = encodeEnvelope(
      successResponse({ rows: [{ when: new Date(Number.NaN) }] }, { requestId: "req_7" }),
    );
    expect(envelope).toEqual({
      success: false,
      data: {
        error_code: "INTERNAL_ERROR",
        error_type: "internal",
        remediation: "This is a fault of the tool, not of the call; report it to the tool's author.",
        details: { path: "$.data.rows[0].when", found: "an invalid date" },
      },
      error: "Cannot write the answer: $.data.rows[0].when holds an invalid date",
      meta: { version: "response-v2", request_id: "req_7" },
    });
    expect(JSON.parse(text)).toEqual(envelope);
  });

  it.each([
    null,
    undefined,
    5,
    [],
    {},
    { success: true },
    new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
        ownKeys: () => {
          throw new Error("no");
        },
      },
    ),
  ])("returns INTERNAL_ERROR for a value that is no envelope (case %#)", (value) => {
    const written = JSON.parse(serializeEnvelope(value as never)) as Envelope;
    expect(written.error).toBe("Cannot write the answer: it is no response-v2 envelope");
    expect(checkEnvelope(written)).toEqual([]);
  });

  it("allows the same depth with and without repaired strings", () => {
    const nested = (levels: number, leaf: object): object =>
      levels === 0 ? leaf : { a: nested(levels - 1, leaf) };
    const texts = [{ t: "fine" }, { t: "\ud800" }].flatMap((leaf) =>
      [997, 998, 999].map((levels) => encodeEnvelope(successResponse(nested(levels, leaf))).envelope.success),
    );
    expect(texts).toEqual([true, true, false, true, true, false]);
  });

  it("warns about a lone surrogate", () => {
    const { envelope } = encodeEnvelope(successResponse({ a: "\ud83d" }));
    expect(envelope).toEqual(
      successResponse(
        { a: "\ufffd" },
        { warnings: "1 text held half a character, replaced by U+FFFD: $.data.a" },
      ),
    );
  });
});
