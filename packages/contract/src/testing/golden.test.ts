import { describe, expect, it } from "vitest";
import { fromUnknown } from "../builders/from-unknown.ts";
import { errorResponse, successResponse } from "../builders/responses.ts";
import { serializeEnvelope } from "../builders/serialize-envelope.ts";
import { toEnvelopeV1 } from "../dialects/convert-envelope-v1.ts";
import { readEnvelope } from "../dialects/read-envelope.ts";
import { toResponseV1 } from "../dialects/response-v1.ts";
import { queryHash, sourceTextHash } from "../digest/digest-payload.ts";
import { parseLocator } from "../digest/locator.ts";
import { validatePayload } from "../digest/payload-json.ts";
import { checkEnvelope } from "../envelope/check-envelope.ts";
import { warning } from "../envelope/warnings.ts";
import { isContractError } from "../errors/contract-error.ts";
import { errorCatalogue } from "../errors/error-catalogue.ts";
import { forbidden, notFound, rateLimited, upgradeRequired } from "../errors/failures.ts";
import { retryAdvice, toHttpStatus } from "../errors/retry.ts";
import { validationError } from "../errors/validation-error.ts";
import { toJsonSchema } from "../json/validator.ts";
import { encodeCursor } from "../paging/cursor.ts";
import { sliceCodePoints } from "../text/code-points.ts";
import { documentBlocks } from "./document-blocks.ts";
import { faults } from "./faults.ts";
import { schemaFiles } from "./schema-files.ts";

// Implementations in other languages test against these files. `npm run generate` writes the files; a change in one
// of these files is a change of the contract.

const toText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const envelopes = {
  empty: successResponse(),
  payload: successResponse(
    {
      spec_id: "my-feature-2025-01-15-001",
      title: "Überblick 😀",
      tasks: [{ task_id: "task-1", done: false }],
    },
    { requestId: "req_0123456789ab" },
  ),
  page: successResponse(
    { specs: [{ id: "a" }] },
    {
      pagination: { cursor: "eyJvZmZzZXQiOjUwfQ", hasMore: true, totalCount: 150, pageSize: 1 },
      telemetry: { durationMs: 1.5 },
    },
  ),
  warned: successResponse(
    { processed: 8, failed: 2 },
    { warningDetails: [warning("PARTIAL_FAILURE", "2 items failed", { failed: 2 })] },
  ),
  partial: successResponse(
    { findings: [] },
    {
      contentFidelity: "partial",
      droppedContentIds: ["finding-003"],
      contentArchiveHashes: { "archive-001": sourceTextHash("{}") },
    },
  ),
  "missing spec": fromUnknown(notFound("spec", "nonexistent-spec"), { requestId: "req_xyz789" }),
  "missing field": fromUnknown(validationError({ field: "spec_id", constraint: "required" })),
  "several wrong fields": fromUnknown(
    validationError([
      { field: "limit", constraint: "type", expected: "a whole number", received: "ten" },
      { field: "spec_id", constraint: "pattern", pattern: "^[a-z0-9-]+$", received: "Invalid Spec ID!" },
    ]),
  ),
  "rate limited": fromUnknown(
    rateLimited({ limit: 100, period: "minute", resetAt: "2025-01-15T10:30:00Z", retryAfter: 45 }),
  ),
  "upgrade required": fromUnknown(upgradeRequired({ feature: "cross_file", tier: "pro" })),
  forbidden: fromUnknown(forbidden("Observers cannot change tasks", { requiredPermission: "task:write" })),
  unexpected: fromUnknown(new Error("never shown")),
};

const v1Envelopes = documentBlocks
  .filter(({ shape }) => shape === "envelope-v1")
  .map(({ name, text }) => ({ name, envelope_v1: JSON.parse(text) as unknown }));
const digest = documentBlocks.find(({ shape }) => shape === "digest")?.completed as Record<string, unknown>;

const query = { tool: "task", action: "query", filters: { status: "pending" }, sort: "task_id" };
const text = "naïve 😀 text";

const goldens: Record<string, unknown> = {
  envelopes: Object.entries(envelopes).map(([name, envelope]) => ({
    name,
    envelope,
    wire: serializeEnvelope(envelope),
  })),
  faults: faults.map(([rule, path, value]) => ({ rule, path, level: checkEnvelope(value)[0]?.level, value })),
  errors: Object.entries(errorCatalogue).map(([code, entry]) => ({
    code,
    type: entry.type,
    status: toHttpStatus(errorResponse("x", { errorCode: code })),
    retry: retryAdvice(errorResponse("x", { errorCode: code })),
    envelope_v1: entry.v1,
    remediation: entry.remediation,
  })),
  dialects: [
    ...Object.entries(envelopes).map(([name, envelope]) => ({
      name,
      response_v2: envelope,
      envelope_v1: toEnvelopeV1(envelope),
      response_v1: toResponseV1(envelope),
    })),
    ...v1Envelopes.map(({ name, envelope_v1 }) => ({
      name: `document: ${name}`,
      response_v2: readEnvelope(envelope_v1),
      envelope_v1,
    })),
  ],
  cursors: [
    { query, place: { kind: "key", key: ["task-1-2"] } as const },
    { query, place: { kind: "key", key: [null, 1.5, true, "ü"] } as const },
    { query, place: { kind: "sibling", ids: [["task-1", "task-2"], ["task-3"]] } as const },
    { query: { tool: "spec" }, place: { kind: "offset", offset: 50 } as const },
  ].map((each) => ({ ...each, cursor: encodeCursor(each.query, each.place) })),
  digests: {
    hashes: ["climate change", "", text].map((each) => ({
      text: each,
      query_hash: queryHash(each),
      source_text_hash: sourceTextHash(each),
    })),
    slices: ["char:0-5", "char:6-7", "page:1:char:8-12"].map((locator) => {
      const { start, end } = parseLocator(locator);
      return { text, locator, slice: sliceCodePoints(text, start, end) };
    }),
    valid: [digest],
    invalid: [
      { ...digest, query_hash: "XYZ" },
      { ...digest, summary: "s".repeat(2_001) },
      { ...digest, key_points: ["k".repeat(501)] },
      { ...digest, source_text_hash: "md5:0" },
      { ...digest, evidence_snippets: [{ text: "t", locator: "line:1-2", relevance_score: 1.5 }] },
    ].map((payload) => ({ error: messageOf(() => validatePayload(payload)), payload })),
  },
};

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (thrown) {
    if (isContractError(thrown)) return thrown.message;
  }
  throw new Error("the payload was accepted");
}

describe("the shipped fixtures and schemas", () => {
  it.each(Object.keys(goldens))("fixtures/%s.json is up to date", async (name) => {
    await expect(toText(goldens[name])).toMatchFileSnapshot(`../../fixtures/${name}.json`);
  });

  it.each(Object.entries(schemaFiles))("schema/%s.json is up to date", async (name, schema) => {
    await expect(toText(toJsonSchema(schema))).toMatchFileSnapshot(`../../schema/${name}.json`);
  });
});
