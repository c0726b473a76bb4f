import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorResponse, successResponse } from "../builders/responses.ts";
import { checkEnvelope } from "../envelope/check-envelope.ts";
import type { Envelope } from "../envelope/envelope.ts";
import { anyEnvelope, anyEnvelopeV1, jsonValue } from "../testing/arbitraries.ts";
import { fromEnvelopeV1 } from "./convert-envelope-v1.ts";
import { detectDialect } from "./detect-dialect.ts";
import { readEnvelope } from "./read-envelope.ts";
import { toResponseV1 } from "./response-v1.ts";

const mustFindings = (envelope: Envelope) => checkEnvelope(envelope).filter(({ level }) => level === "MUST");

describe("detectDialect", () => {
  it.each([
    [{ success: true, data: {}, error: null, meta: { version: "response-v2" } }, "response-v2"],
    [{ success: true, data: {} }, "response-v2"],
    [{ success: false, meta: {} }, "response-v2"],
    [{ tier: "pro", tool_id: "x", error: null }, "envelope-v1"],
    [{ capabilities: ["envelope-v1"], data: null }, "envelope-v1"],
    [{ success: true, schema_version: "1.0.0", rows: [] }, "response-v1"],
    [{ success: true, rows: [] }, null],
    [{ success: "yes", data: {} }, null],
    [{}, null],
    [null, null],
    [[], null],
    ["text", null],
  ])("%j is %s", (json, dialect) => {
    expect(detectDialect(json)).toBe(dialect);
  });
});

describe("readEnvelope", () => {
  it("returns a valid response-v2 envelope unchanged, from a value or from text", () => {
    fc.assert(
      fc.property(anyEnvelope, (envelope) => {
        const isOld = !envelope.success && envelope.data.error_code === "ALREADY_EXISTS";
        const isLifted = "_meta" in envelope.data || "_warnings" in envelope.data;
        if (isOld || isLifted) return;
        expect(readEnvelope(envelope)).toBe(envelope);
        expect(readEnvelope(JSON.stringify(envelope))).toEqual(envelope);
      }),
    );
  });

  it("reads envelope-v1", () => {
    fc.assert(
      fc.property(anyEnvelopeV1, (envelope) => {
        expect(readEnvelope(envelope)).toEqual(fromEnvelopeV1(envelope));
      }),
    );
  });

  it("reads the parts of an envelope that response-v1 preserves", () => {
    const { meta: _, ...rest } = readEnvelope(
      toResponseV1(successResponse({ rows: [1], total: 1 }, { warnings: "lost" })),
    );
    expect(rest).toEqual({ success: true, data: { rows: [1], total: 1 }, error: null });
    const failure = errorResponse("Gone", { errorCode: "SPEC_NOT_FOUND", details: { spec_id: "a" } });
    expect(readEnvelope(toResponseV1(failure))).toEqual(failure);
  });

  it.each<[string, unknown, unknown]>([
    [
      "a missing error",
      { success: true, data: { a: 1 }, meta: { version: "response-v2" } },
      successResponse({ a: 1 }),
    ],
    ["a missing meta", { success: true, data: {} }, successResponse()],
    [
      "a null payload",
      { success: true, data: null, error: null, meta: { version: "response-v2" } },
      successResponse(),
    ],
    [
      "a list as payload",
      { success: true, data: [1], error: null, meta: { version: "response-v2" } },
      successResponse({ result: [1] }),
    ],
    [
      "null for optional keys",
      {
        success: true,
        data: {},
        error: null,
        meta: { version: "response-v2", warnings: null, request_id: null },
      },
      successResponse(),
    ],
    [
      "metadata in data",
      {
        success: true,
        data: { x: 1, _meta: { telemetry: { duration_ms: 2 } }, _warnings: ["old"] },
        error: null,
        meta: { version: "response-v2" },
      },
      successResponse({ x: 1 }, { warnings: "old", telemetry: { durationMs: 2 } }),
    ],
    [
      "an old code",
      {
        success: false,
        data: { error_code: "ALREADY_EXISTS" },
        error: "x",
        meta: { version: "response-v2" },
      },
      {
        success: false,
        data: { error_code: "DUPLICATE_ENTRY" },
        error: "x",
        meta: { version: "response-v2" },
      },
    ],
    [
      "a failure without a message",
      { success: false, data: {}, error: "", meta: { version: "response-v2" } },
      {
        success: false,
        data: {},
        error: "The tool failed without saying why",
        meta: { version: "response-v2" },
      },
    ],
  ])("repairs %s", (_, json, expected) => {
    expect(readEnvelope(json)).toEqual(expected);
  });

  it("keeps nonconforming values in meta, with a warning", () => {
    const read = readEnvelope({
      success: true,
      data: {},
      error: null,
      fixture_version: "1.0.0",
      meta: { version: "response-v2", pagination: {}, warnings: ["w"] },
    });
    const message = "Not part of the envelope, kept in meta.nonconforming: fixture_version, pagination";
    expect(read).toEqual({
      success: true,
      data: {},
      error: null,
      meta: {
        version: "response-v2",
        warnings: ["w", message],
        warning_details: [{ code: "UPSTREAM_NORMALIZED", severity: "info", message }],
        nonconforming: { fixture_version: "1.0.0", pagination: {} },
      },
    });
  });

  it("reads the envelope-v1 that servers send with nulls", () => {
    const sent = {
      tier: null,
      tool_version: null,
      tool_id: "scan",
      request_id: null,
      capabilities: ["envelope-v1"],
      duration_ms: null,
      error: { error: "No", error_code: "not_found" },
      upgrade_hints: null,
      warnings: [],
      data: null,
    };
    const read = readEnvelope(sent);
    expect(mustFindings(read)).toEqual([]);
    expect(read.success ? null : [read.error, read.data.error_code]).toEqual(["No", "NOT_FOUND"]);
  });

  it.each([
    null,
    undefined,
    5,
    "text",
    "{",
    "[]",
    [],
    {},
    { success: 1 },
    { success: true, error: "but", data: {}, meta: { version: "response-v2" } },
    Symbol("s"),
    () => 1,
  ])("returns INVALID_FORMAT for a value that is no envelope (case %#)", (json) => {
    const read = readEnvelope(json);
    expect(checkEnvelope(read)).toEqual([]);
    expect(!read.success && read.data.error_code).toBe("INVALID_FORMAT");
  });

  it("never throws and always returns a valid envelope", () => {
    const hostile = {
      get success(): never {
        throw new Error("x");
      },
    };
    const nearly = fc.record(
      {
        success: jsonValue,
        data: jsonValue,
        error: jsonValue,
        meta: jsonValue,
        tier: jsonValue,
        schema_version: fc.constant("1.0.0"),
        capabilities: jsonValue,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), nearly, fc.constant(hostile)), (json) => {
        expect(mustFindings(readEnvelope(json))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("toResponseV1", () => {
  it("nests colliding keys under data", () => {
    expect(toResponseV1(successResponse({ error: "e", success: 1, data: 2, rows: [] }))).toEqual({
      success: true,
      schema_version: "1.0.0",
      rows: [],
      data: { error: "e", success: 1, data: 2 },
    });
    expect(toResponseV1(successResponse({ data: 2 }))).toEqual({
      success: true,
      schema_version: "1.0.0",
      data: 2,
    });
  });
});
