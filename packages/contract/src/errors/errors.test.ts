import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { fromUnknown } from "../builders/from-unknown.ts";
import { errorResponse, successResponse } from "../builders/responses.ts";
import { checkEnvelope } from "../envelope/check-envelope.ts";
import { problemDetailsSchema } from "../envelope/envelope-schemas.ts";
import { ContractError } from "./contract-error.ts";
import { defineErrors } from "./define-errors.ts";
import { errorCatalogue } from "./error-catalogue.ts";
import { errorTypes } from "./error-types.ts";
import {
  cancelled,
  conflict,
  duplicateEntry,
  featureDisabled,
  forbidden,
  internal,
  notFound,
  rateLimited,
  timedOut,
  unauthorized,
  unavailable,
  upgradeRequired,
} from "./failures.ts";
import { toProblemDetails } from "./problem-details.ts";
import { isRetryable, retryAdvice, retryAfter, toHttpStatus } from "./retry.ts";
import { validationError } from "./validation-error.ts";

const failureOf = (code: string) => errorResponse("x", { errorCode: code });

describe("the error catalogue", () => {
  it("pins the codes, their types, statuses and retry advice", () => {
    const rows = Object.keys(errorCatalogue).map((code) => {
      const failure = failureOf(code);
      return `${code} ${failure.data.error_type} ${toHttpStatus(failure)} ${retryAdvice(failure)}`;
    });
    expect(rows).toMatchInlineSnapshot(`
      [
        "VALIDATION_ERROR validation 400 no",
        "INVALID_FORMAT validation 400 no",
        "MISSING_REQUIRED validation 400 no",
        "INVALID_CURSOR validation 400 no",
        "INVALID_PATH validation 400 no",
        "CONTENT_TOO_LARGE validation 413 no",
        "NOT_IMPLEMENTED validation 501 no",
        "CORRECTION_NEEDED validation 400 no",
        "NOT_FOUND not_found 404 no",
        "SPEC_NOT_FOUND not_found 404 no",
        "TASK_NOT_FOUND not_found 404 no",
        "PHASE_NOT_FOUND not_found 404 no",
        "CONTENT_NOT_FOUND not_found 404 no",
        "JOB_NOT_FOUND not_found 404 no",
        "CONFLICT conflict 409 maybe",
        "DUPLICATE_ENTRY conflict 409 maybe",
        "ALREADY_EXISTS conflict 409 maybe",
        "INVALID_STATE conflict 409 maybe",
        "DEPENDENCY_ERROR conflict 409 maybe",
        "CIRCULAR_DEPENDENCY conflict 409 maybe",
        "VERSION_CONFLICT conflict 409 maybe",
        "UNAUTHORIZED authentication 401 no",
        "FORBIDDEN authorization 403 no",
        "UPGRADE_REQUIRED authorization 403 no",
        "FEATURE_DISABLED feature_flag 403 no",
        "RATE_LIMIT_EXCEEDED rate_limit 429 after_delay",
        "INTERNAL_ERROR internal 500 backoff",
        "UNAVAILABLE unavailable 503 backoff",
        "RESOURCE_BUSY unavailable 503 backoff",
        "RESOURCE_EXHAUSTED unavailable 503 backoff",
        "DEPENDENCY_UNAVAILABLE unavailable 503 backoff",
        "TIMEOUT unavailable 504 if_idempotent",
        "JOB_INTERRUPTED unavailable 500 if_idempotent",
        "CANCELLED unavailable 503 no",
        "UPSTREAM_ERROR unavailable 502 backoff",
      ]
    `);
  });

  it("has a remediation for every code that is a sentence", () => {
    for (const { remediation } of Object.values(errorCatalogue)) expect(remediation).toMatch(/^[A-Z].+\.$/);
  });

  it("has at least one code for each type", () => {
    expect(new Set(Object.values(errorCatalogue).map(({ type }) => type))).toEqual(
      new Set(Object.keys(errorTypes)),
    );
  });
});

describe("ALREADY_EXISTS", () => {
  it("is sent as DUPLICATE_ENTRY", () => {
    expect(failureOf("ALREADY_EXISTS").data.error_code).toBe("DUPLICATE_ENTRY");
  });
});

describe("named failures", () => {
  it.each<[string, ContractError, Record<string, unknown>, string]>([
    [
      "notFound spec",
      notFound("spec", "my-spec"),
      {
        error_code: "SPEC_NOT_FOUND",
        error_type: "not_found",
        remediation: 'List the specs with spec(action="list") and use one of their ids.',
        remedy: { tool: "spec", action: "list" },
        details: { resource_type: "spec", resource_id: "my-spec" },
      },
      "Spec not found: my-spec",
    ],
    [
      "notFound other",
      notFound("constructor", "x"),
      {
        error_code: "NOT_FOUND",
        error_type: "not_found",
        remediation: "Check the identifier and call again.",
        details: { resource_type: "constructor", resource_id: "x" },
      },
      "Constructor not found: x",
    ],
    [
      "conflict",
      conflict("Task is done", { errorCode: "INVALID_STATE" }),
      {
        error_code: "INVALID_STATE",
        error_type: "conflict",
        remediation: "Bring the resource into the state named in details first.",
      },
      "Task is done",
    ],
    [
      "duplicateEntry",
      duplicateEntry("spec", "a"),
      {
        error_code: "DUPLICATE_ENTRY",
        error_type: "conflict",
        remediation: "Choose another id, or change the existing entry.",
        details: { resource_type: "spec", resource_id: "a" },
      },
      "A spec with this id exists already: a",
    ],
    [
      "unauthorized",
      unauthorized(),
      { error_code: "UNAUTHORIZED", error_type: "authentication", remediation: "Send a valid bearer token." },
      "Authentication is required",
    ],
    [
      "forbidden",
      forbidden("Observers only read", { requiredPermission: "task:write" }),
      {
        error_code: "FORBIDDEN",
        error_type: "authorization",
        remediation: "Ask for a role that allows the action, or use an action that your role allows.",
        details: { required_permission: "task:write" },
      },
      "Observers only read",
    ],
    [
      "featureDisabled",
      featureDisabled("beta_search"),
      {
        error_code: "FEATURE_DISABLED",
        error_type: "feature_flag",
        remediation: "Switch the feature flag beta_search on, or call without the feature.",
        feature: "beta_search",
      },
      "Feature 'beta_search' is not enabled",
    ],
    [
      "upgradeRequired",
      upgradeRequired({ feature: "pdf", tier: "pro" }),
      {
        error_code: "UPGRADE_REQUIRED",
        error_type: "authorization",
        remediation: "Upgrade to the pro tier, or call without pdf.",
        details: { feature: "pdf", tier: "pro" },
      },
      "pdf needs the pro tier",
    ],
    [
      "rateLimited",
      rateLimited({ limit: 100, period: "minute", resetAt: "2025-01-15T10:30:00Z", retryAfter: 45 }),
      {
        error_code: "RATE_LIMIT_EXCEEDED",
        error_type: "rate_limit",
        remediation: "Wait 45 seconds before retrying.",
        remedy: { wait: 45 },
        retry_after_seconds: 45,
      },
      "Rate limit exceeded: 100 requests per minute",
    ],
    [
      "unavailable",
      unavailable("Index is being built", { retryAfterSeconds: 0 }),
      {
        error_code: "UNAVAILABLE",
        error_type: "unavailable",
        remediation: "Try again with increasing delays.",
        retry_after_seconds: 0,
      },
      "Index is being built",
    ],
    [
      "timedOut",
      timedOut(500),
      {
        error_code: "TIMEOUT",
        error_type: "unavailable",
        remediation: "Check whether the work was done; repeat the call only if the work may be done twice.",
        details: { deadline_ms: 500 },
      },
      "The work was not done within 500 ms",
    ],
    [
      "cancelled",
      cancelled(),
      {
        error_code: "CANCELLED",
        error_type: "unavailable",
        remediation: "Call again if the result is still wanted.",
      },
      "The call was cancelled",
    ],
    [
      "internal",
      internal(),
      {
        error_code: "INTERNAL_ERROR",
        error_type: "internal",
        remediation: "Try again; if the call fails again, report the failure with the request id.",
      },
      "The server failed unexpectedly",
    ],
  ])("%s", (_, error, data, message) => {
    const failure = fromUnknown(error, { requestId: "req_1" });
    expect({ data: failure.data, error: failure.error }).toEqual({ data, error: message });
    expect(failure.meta.request_id).toBe("req_1");
    expect(checkEnvelope(failure, { deep: true })).toEqual([]);
  });

  it("keep their code when an option is undefined", () => {
    const undefinedCode = { errorCode: undefined, remediation: undefined };
    expect([
      notFound("spec", "s", undefinedCode).code,
      conflict("x", undefinedCode).code,
      validationError({ field: "a", constraint: "required" }, undefinedCode).code,
    ]).toEqual(["SPEC_NOT_FOUND", "CONFLICT", "MISSING_REQUIRED"]);
  });

  it("do not repeat a long or multi-line identifier", () => {
    expect(notFound("spec", "x".repeat(5_000)).message).toBe("Spec not found: string of 5000 characters");
    expect(notFound("spec", "a\nb").message).toBe("Spec not found: string of 3 characters");
  });
});

describe("validationError", () => {
  it.each([
    [
      { field: "spec_id", constraint: "required", received: null },
      "MISSING_REQUIRED",
      "Validation failed: spec_id is required",
      "Provide spec_id.",
    ],
    [
      { field: "limit", constraint: "type", expected: "a number", received: "ten" },
      "INVALID_FORMAT",
      "Validation failed: limit must be a number",
      "Correct limit: it must be a number.",
    ],
    [
      { field: "status", constraint: "enum", expected: ["pending", "done"], received: "x" },
      "VALIDATION_ERROR",
      "Validation failed: status must be one of pending, done",
      "Give status one of its values.",
    ],
    [
      { field: "status", constraint: "enum", expected: ["pending", "active"], received: "actve" },
      "VALIDATION_ERROR",
      "Validation failed: status must be one of pending, active",
      "Give status one of its values (did you mean active?).",
    ],
    [
      { field: "level", constraint: "enum", expected: [1, 2], received: 3 },
      "VALIDATION_ERROR",
      "Validation failed: level must be one of 1, 2",
      "Give level one of its values.",
    ],
    [
      { field: "spec_id", constraint: "pattern", pattern: "^[a-z0-9-]+$", received: "Invalid Spec ID!" },
      "VALIDATION_ERROR",
      "Validation failed: spec_id must match ^[a-z0-9-]+$",
      "Correct spec_id: it must match ^[a-z0-9-]+$.",
    ],
  ])("describes %j", (field, code, message, remediation) => {
    const failure = fromUnknown(validationError(field));
    expect(failure.error).toBe(message);
    expect(failure.data).toEqual({ error_code: code, error_type: "validation", remediation, details: field });
  });

  it.each([
    [{}, null],
    [{ received: undefined }, null],
    [{ received: null }, null],
    [{ received: "" }, "string of 0 characters"],
    [{ received: [] }, "array of 0 items"],
  ])("reports null for a missing field, and else what was received: %j", (given, received) => {
    const field = { field: "spec_id", constraint: "required" };
    expect(validationError({ ...field, ...given }).options.details).toEqual({ ...field, received });
  });

  it("lists several errors, repeats the first at the top level and uses the code that fits all", () => {
    const errors = [
      { field: "a", constraint: "required", received: null },
      { field: "b", constraint: "required", received: null },
    ];
    expect(fromUnknown(validationError(errors)).data).toEqual({
      error_code: "MISSING_REQUIRED",
      error_type: "validation",
      remediation: "Provide a; provide b.",
      details: { ...errors[0], errors },
    });
    expect(validationError([...errors, { field: "c", constraint: "type" }]).code).toBe("VALIDATION_ERROR");
  });

  it.each([
    ["a long text", "q", "x".repeat(201), "string of 201 characters"],
    ["a text of several lines", "q", "a\nb", "string of 3 characters"],
    ["an object", "q", { secret: 1 }, "object"],
    ["a list", "q", [1, 2], "array of 2 items"],
    ["an authorization", "auth", "hunter2", "string of 7 characters"],
    ["a key", "sshKey", "hunter2", "string of 7 characters"],
    ["a secret", "api_key", "sk-123", "string of 6 characters"],
    ["a numeric secret", "password", 1234, "number"],
    ["a number that is no secret", "max_tokens", 1.5, 1.5],
    ["null", "q", null, null],
    ["an infinite number", "q", Number.POSITIVE_INFINITY, "Infinity"],
    ["64 letters", "q", "ä".repeat(64), "ä".repeat(64)],
    ["65 letters", "q", "a".repeat(65), "string of 65 characters"],
    ["a sentence", "q", "Invalid Spec ID!", "Invalid Spec ID!"],
    ["an address of mail", "q", "ada@example.com", "ada@example.com"],
    ["a sign first", "q", "-x", "string of 2 characters"],
    ["code", "q", "eval(SECRET)", "string of 12 characters"],
    ["a path", "q", "/etc/passwd", "string of 11 characters"],
    ["a user with a password", "q", "root:hunter2@db", "string of 15 characters"],
    ["a token", "q", `ghp_${"a1".repeat(15)}`, "string of 34 characters"],
    [
      "an id of 36 characters",
      "q",
      "123e4567-e89b-12d3-a456-426614174000",
      "123e4567-e89b-12d3-a456-426614174000",
    ],
    ["an item of a secret list", "secrets[0]", "hunter2", "string of 7 characters"],
    ["a member of a secret", "apiKey.value", "hunter2", "string of 7 characters"],
  ])("repeats %s only as far as it is safe", (_, field, received, shown) => {
    expect(validationError({ field, constraint: "x", received }).options.details).toEqual({
      field,
      constraint: "x",
      received: shown,
    });
  });
});

describe("the name of an unknown parameter", () => {
  it.each([
    ["colour", "colour", "colour is not known here"],
    ["items[3].colour", "items[3].colour", "items[3].colour is not known here"],
    ["eval(SECRET)", "string of 12 characters", "string of 12 characters is not known"],
    ["a\nb", "string of 3 characters", "string of 3 characters is not known"],
    ["x".repeat(65), "string of 65 characters", "string of 65 characters is not known"],
  ])("%j is repeated only as far as it is safe", (name, field, message) => {
    const given = { field: name, constraint: "unknown", message: `${name} is not known here` };
    const { message: error, options } = validationError(given);
    expect([error, options.details]).toEqual([
      `Validation failed: ${message}`,
      { field, constraint: "unknown" },
    ]);
    expect(options.remediation).toContain(field);
  });
});

describe("fromUnknown", () => {
  const secret = "/home/user/.env: AWS_SECRET=abc123";
  it.each<[string, unknown, string]>([
    ["an Error", new Error(secret), "INTERNAL_ERROR"],
    ["a text", secret, "INTERNAL_ERROR"],
    ["undefined", undefined, "INTERNAL_ERROR"],
    ["a full disk", Object.assign(new Error(secret), { code: "ENOSPC" }), "RESOURCE_EXHAUSTED"],
    [
      "a refused connection",
      Object.assign(new Error(secret), { code: "ECONNREFUSED" }),
      "DEPENDENCY_UNAVAILABLE",
    ],
    ["an abort", new DOMException(secret, "AbortError"), "CANCELLED"],
    ["a time-out", new DOMException(secret, "TimeoutError"), "TIMEOUT"],
    ["a code named like a prototype member", { code: "constructor", name: "__proto__" }, "INTERNAL_ERROR"],
    [
      "a hostile getter",
      {
        get code(): never {
          throw new Error(secret);
        },
      },
      "INTERNAL_ERROR",
    ],
    [
      "a hostile proxy",
      new Proxy(
        {},
        {
          get() {
            throw new Error(secret);
          },
          getPrototypeOf() {
            throw new Error(secret);
          },
        },
      ),
      "INTERNAL_ERROR",
    ],
    ["a ContractError with a blank message", new ContractError(" "), "INTERNAL_ERROR"],
    [
      "a ContractError with a broken request id",
      new ContractError("x", { requestId: "no good" }),
      "INTERNAL_ERROR",
    ],
  ])("reports only the class of %s", (_, thrown, code) => {
    const failure = fromUnknown(thrown, { requestId: "req_1", telemetry: { durationMs: 3 } });
    expect(failure.data.error_code).toBe(code);
    expect(failure.meta).toEqual({
      version: "response-v2",
      request_id: "req_1",
      telemetry: { duration_ms: 3 },
    });
    expect(JSON.stringify(failure)).not.toMatch(/home|AWS|abc123|\n +at /);
  });

  it("builds the same envelope for a ContractError as errorResponse for its arguments", () => {
    const options = {
      errorCode: "CONFLICT",
      details: { a: 1 },
      warnings: "w",
      data: { b: 2 },
      meta: { c: 3 },
      requestId: "req_own",
    };
    expect(fromUnknown(new ContractError("m", options), { requestId: "req_edge" })).toEqual(
      errorResponse("m", options),
    );
  });

  it("keeps the failure when only the context is invalid", () => {
    expect(fromUnknown(notFound("spec", "x"), { requestId: "a b" })).toEqual(
      fromUnknown(notFound("spec", "x")),
    );
  });

  it("classifies an error by its cause, which fetch sets", () => {
    const failed = new TypeError("fetch failed", {
      cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }),
    });
    expect(fromUnknown(failed).data.error_code).toBe("DEPENDENCY_UNAVAILABLE");
  });

  it("never throws and always returns a valid failure", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), fc.anything(), (thrown, id) => {
        expect(checkEnvelope(fromUnknown(thrown, { requestId: id as never }))).toEqual([]);
      }),
    );
  });
});

describe("defineErrors", () => {
  const errors = defineErrors({
    BUILD_BROKEN: {
      type: "conflict",
      status: 424,
      retry: "no",

      remediation: "Read the log.",
    },
  });

  it("contains its own codes and those that ship, also in its types", () => {
    expectTypeOf(errors.error).parameter(0).toExtend<string>();
    expectTypeOf<"BUILD_BROKEN">().toExtend<Parameters<typeof errors.error>[0]>();
    expectTypeOf<"SPEC_NOT_FOUND">().toExtend<Parameters<typeof errors.error>[0]>();
    expectTypeOf<"NO_SUCH_CODE">().not.toExtend<Parameters<typeof errors.error>[0]>();
    const failure = fromUnknown(errors.error("BUILD_BROKEN", "Build 41 is broken"));
    expect(failure.data).toEqual({
      error_code: "BUILD_BROKEN",
      error_type: "conflict",
      remediation: "Read the log.",
    });
    expect([toHttpStatus(failure), toHttpStatus(failure, errors.catalogue)]).toEqual([409, 424]);
    expect(retryAdvice(failure, errors.catalogue)).toBe("no");
  });

  it("refuses a code that ships or is not in capitals", () => {
    const entry = { type: "conflict", remediation: "y" } as const;
    expect(() => defineErrors({ CONFLICT: entry })).toThrow("it ships already");
    expect(() => defineErrors({ notMine: entry })).toThrow("SCREAMING_SNAKE_CASE");
    expect(() => defineErrors({ MINE: { ...entry, type: "nonsense" as never } })).toThrow(
      'there is no error type "nonsense"',
    );
  });
});

describe("retry and status", () => {
  it("advises which calls may be retried", () => {
    expect(isRetryable(failureOf("RATE_LIMIT_EXCEEDED"))).toBe(true);
    expect(isRetryable(failureOf("CONFLICT"))).toBe(false);
    expect([
      isRetryable(failureOf("TIMEOUT")),
      isRetryable(failureOf("TIMEOUT"), { idempotent: true }),
    ]).toEqual([false, true]);
    expect(isRetryable(failureOf("CANCELLED"), { idempotent: true })).toBe(false);
    expect(isRetryable(successResponse())).toBe(false);
    expect(isRetryable(errorResponse("x", { errorCode: "THEIRS", errorType: "unavailable" }))).toBe(true);
    expect(isRetryable(errorResponse("x", { errorCode: "THEIRS", errorType: "odd" }))).toBe(false);
  });

  it("returns the delay that a response names", () => {
    const limit = { limit: 1, remaining: 0, resetAt: "2025-01-01T00:00:10Z" };
    expect(retryAfter(fromUnknown(unavailable("x", { retryAfterSeconds: 7 })))).toBe(7);
    expect(retryAfter(errorResponse("x", { rateLimit: { ...limit, retryAfter: 3 } }))).toBe(3);
    expect(retryAfter(errorResponse("x", { rateLimit: limit }))).toBeUndefined();
    expect(retryAfter(errorResponse("x", { rateLimit: limit }), Date.parse("2025-01-01T00:00:00.500Z"))).toBe(
      10,
    );
    expect(retryAfter(successResponse())).toBeUndefined();
  });

  it("converts every code to valid problem details", () => {
    for (const code of Object.keys(errorCatalogue))
      expect(problemDetailsSchema.safeParse(toProblemDetails(failureOf(code))).error).toBeUndefined();
  });

  it("converts a failure to problem details", () => {
    const failure = fromUnknown(rateLimited({ limit: 1, resetAt: "2025-01-01T00:00:00Z", retryAfter: 9 }), {
      requestId: "req_9",
    });
    expect(toProblemDetails(failure)).toEqual({
      type: "urn:foundry-mcp:error:RATE_LIMIT_EXCEEDED",
      title: "Rate limit exceeded",
      status: 429,
      detail: "Rate limit exceeded: 1 requests",
      instance: "urn:foundry-mcp:request:req_9",
      error_code: "RATE_LIMIT_EXCEEDED",
      error_type: "rate_limit",
      remediation: "Wait 9 seconds before retrying.",
      remedy: { wait: 9 },
      retry_after_seconds: 9,
    });
  });
});
