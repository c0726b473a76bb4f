import { errorResponse, successResponse, warning, warningCatalogue } from "@foundry-mcp/contract";
import {
  countDigestChars,
  deserializePayload,
  estimateDigestTokens,
  isDigest,
  queryHash,
  serializePayload,
  sourceTextHash,
} from "@foundry-mcp/contract/digest";
import { createRegistry, defineTool, type Logger } from "@foundry-mcp/toolkit";
import { describe, expect, it } from "vitest";
import { createTools } from "#built/foundry/app/create-tools.js";
import { toolNames } from "#built/foundry/config/settings.js";
import { createMemoryStore } from "#built/foundry/specs/stores/memory-store.js";
import { noFolder, noResearch } from "./specs/fresh-tools.ts";

// These tests cover statements of the documents that no other test covers. docs/reference/documents.md lists these
// statements.

const meta = { version: "response-v2" };

describe("the failures that the response contract builds", () => {
  it("a required field is missing", () => {
    const failure = errorResponse("Validation failed: spec_id is required", {
      errorCode: "MISSING_REQUIRED",
      errorType: "validation",
      remediation: "Provide a non-empty spec_id parameter",
      details: { field: "spec_id", constraint: "required" },
      requestId: "req_abc123",
    });
    expect(failure).toEqual({
      success: false,
      data: {
        error_code: "MISSING_REQUIRED",
        error_type: "validation",
        remediation: "Provide a non-empty spec_id parameter",
        details: { field: "spec_id", constraint: "required" },
      },
      error: "Validation failed: spec_id is required",
      meta: { ...meta, request_id: "req_abc123" },
    });
  });

  it("a spec is not found", () => {
    const failure = errorResponse("Spec 'my-spec' not found", {
      errorCode: "SPEC_NOT_FOUND",
      errorType: "not_found",
      remediation: 'Verify the spec ID exists using spec(action="list")',
      requestId: "req_abc123",
    });
    expect(failure).toEqual({
      success: false,
      data: {
        error_code: "SPEC_NOT_FOUND",
        error_type: "not_found",
        remediation: 'Verify the spec ID exists using spec(action="list")',
      },
      error: "Spec 'my-spec' not found",
      meta: { ...meta, request_id: "req_abc123" },
    });
  });

  it("a feature is disabled", () => {
    const failure = errorResponse("Feature 'search' is not enabled", {
      errorCode: "FEATURE_DISABLED",
      errorType: "feature_flag",
      data: { feature: "search" },
      remediation: "Contact support to enable this feature or check feature flag configuration",
    });
    expect(failure).toEqual({
      success: false,
      data: {
        error_code: "FEATURE_DISABLED",
        error_type: "feature_flag",
        remediation: "Contact support to enable this feature or check feature flag configuration",
        feature: "search",
      },
      error: "Feature 'search' is not enabled",
      meta,
    });
  });

  it("telemetry and meta of a failure are merged into its meta", () => {
    const failure = errorResponse("No", {
      telemetry: { durationMs: 12.5, db_queries: 3 },
      meta: { region: "north" },
    });
    expect(failure.meta).toEqual({
      ...meta,
      telemetry: { duration_ms: 12.5, db_queries: 3 },
      region: "north",
    });
  });
});

describe("warnings", () => {
  it("have the codes and severities of the response contract", () => {
    expect(warningCatalogue).toMatchObject({
      CONTENT_TRUNCATED: "info",
      STALE_CACHE: "warning",
      PARTIAL_FAILURE: "warning",
      DEPRECATED_FIELD: "info",
      RATE_LIMIT_APPROACHING: "warning",
      FALLBACK_USED: "info",
    });
  });

  it("with a code also stand in warnings as text", () => {
    const context = { cache_age_seconds: 7200, max_freshness_seconds: 3600 };
    const detail = {
      code: "STALE_CACHE",
      severity: "warning",
      message: "Cache data is 2 hours old",
      context,
    };
    expect(warning("STALE_CACHE", "Cache data is 2 hours old", context)).toEqual(detail);
    expect(
      successResponse({}, { warningDetails: [warning("STALE_CACHE", detail.message, context)] }),
    ).toEqual({
      success: true,
      data: {},
      error: null,
      meta: { ...meta, warnings: ["Cache data is 2 hours old"], warning_details: [detail] },
    });
  });
});

describe("a reader of sources", () => {
  const text = "The sea rose by 3.7 mm a year. It rose by less before. ".repeat(10).trim();
  const parts = {
    summary: "The sea rises.",
    key_points: ["3.7 mm a year"],
    evidence_snippets: [{ text: "rose by 3.7 mm", locator: "char:8-22", relevance_score: 0.9 }],
  };
  const chars = countDigestChars(parts);
  const content = serializePayload({
    version: "1.0",
    content_type: "digest/v1",
    query_hash: queryHash("How fast does the sea rise?"),
    ...parts,
    original_chars: text.length,
    digest_chars: chars,
    compression_ratio: chars / text.length,
    source_text_hash: sourceTextHash(text),
  });
  /** The function that the response contract prints in Python. */
  const processSource = (source: { readonly content_type: string; readonly content: string }) => {
    if (!isDigest(source)) return { context: source.content };
    const payload = deserializePayload(source.content);
    return {
      context: payload.summary,
      points: payload.key_points.map((point) => `• ${point}`),
      citations: payload.evidence_snippets.map(({ text: quote, locator }) => `"${quote}" [${locator}]`),
      tokens: estimateDigestTokens(payload),
    };
  };

  it("takes context, highlights, citations and tokens from a digest", () => {
    expect(processSource({ content_type: "digest/v1", content })).toEqual({
      context: "The sea rises.",
      points: ["• 3.7 mm a year"],
      citations: ['"rose by 3.7 mm" [char:8-22]'],
      tokens: Math.floor((14 + 13 + 14) / 4),
    });
  });

  it("takes any other source as it is", () => {
    expect(processSource({ content_type: "text/plain", content: text })).toEqual({ context: text });
  });
});

describe("envelope-v1", () => {
  it("every tool that ships has a semantic version", () => {
    const store = createMemoryStore();
    const nothing = async (): Promise<never> => {
      throw new Error("Nothing is run here.");
    };
    const running = { programs: nothing, folder: nothing, outputs: nothing };
    const tools = createTools({ store: async () => store }, "all", {
      running,
      reviewing: noFolder,
      openResearch: noResearch,
    });
    const versions = tools.map(({ version }) => version);
    expect(versions).toHaveLength(toolNames.length);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});

describe("response-v1", () => {
  it("is logged as deprecated once for each client", async () => {
    const lines: unknown[] = [];
    const ignore = () => {};
    const logger: Logger = {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn: (...line: unknown[]) => void lines.push(line),
      child: () => logger,
    };
    const tool = defineTool({ name: "ping", version: "1.0.0", description: "Answer", run: () => ({}) });
    const registry = createRegistry({ name: "r", version: "1.0.0", tools: [tool], logger });
    for (const name of ["ann", "ann", "bob"]) {
      const call = { tool: "ping", args: {}, contract: "v1" };
      const { value } = await registry.dispatch(call, { surface: "stdio", client: { name } });
      expect(value).toEqual({ success: true, schema_version: "1.0.0" });
    }
    const text = "response-v1 is deprecated: ask for response_contract v2";
    expect(lines).toEqual([
      [{ client: "ann" }, text],
      [{ client: "bob" }, text],
    ]);
  });
});
