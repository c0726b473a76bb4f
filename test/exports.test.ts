import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./source-files.ts";

// What others import. A red pin asks: did you mean it? Then change it here, in the docs and in CHANGELOG.md.

/** The names a door offers, values and types apart. */
function readDoor(path: string): { values: string[]; types: string[] } {
  const text = readFileSync(join(root, path), "utf8").replace(/\/\/.*$/gm, "");
  const values: string[] = [];
  const types: string[] = [];
  for (const [, type, clause = ""] of text.matchAll(/export (type )?\{([^}]*)\} from/g)) {
    for (const name of clause
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean)) {
      if (type !== undefined || name.startsWith("type ")) types.push(name.replace(/^type /, ""));
      else values.push(name);
    }
  }
  return { values: values.toSorted(), types: types.toSorted() };
}

describe("public exports", () => {
  it("@foundry-mcp/contract", async () => {
    const { values, types } = readDoor("packages/contract/src/index.ts");
    expect(Object.keys(await import("@foundry-mcp/contract")).toSorted()).toEqual(values);
    expect({ values, types }).toMatchInlineSnapshot(`
      {
        "types": [
          "ArchiveReference",
          "CheckOptions",
          "CursorPlace",
          "CursorQuery",
          "DefinedErrors",
          "Dialect",
          "DigestPayload",
          "DigestText",
          "Dropped",
          "DroppedPart",
          "EncodedEnvelope",
          "Envelope",
          "EnvelopeRule",
          "EnvelopeV1",
          "EnvelopeV1Code",
          "EnvelopeV1Error",
          "ErrorCatalogue",
          "ErrorCode",
          "ErrorDefinition",
          "ErrorEntry",
          "FailureOptions",
          "ErrorType",
          "ErrorTypeEntry",
          "EvidenceSnippet",
          "Failure",
          "FailureContext",
          "FailureData",
          "Fidelity",
          "FieldError",
          "Finding",
          "FitOptions",
          "FitResult",
          "JsonObject",
          "JsonProblem",
          "JsonSchema",
          "JsonText",
          "JsonValue",
          "KeyPart",
          "Locator",
          "Meta",
          "MetaOptions",
          "Page",
          "PageLimits",
          "PageRequest",
          "PagedList",
          "Pagination",
          "PaginationOptions",
          "ProblemDetails",
          "RateLimit",
          "RateLimitOptions",
          "ResponseV1",
          "RetryAdvice",
          "RetryOptions",
          "RuleId",
          "RuleLevel",
          "SchemaName",
          "Severity",
          "SiblingRequest",
          "SortDirection",
          "SourcePlace",
          "Success",
          "Telemetry",
          "TelemetryOptions",
          "Tier",
          "TokenCounter",
          "ToolIdentity",
          "UnknownRecord",
          "UpgradeHint",
          "WarningCode",
          "WarningDetail",
        ],
        "values": [
          "ContractError",
          "cancelled",
          "checkEnvelope",
          "compareKeys",
          "conflict",
          "countDigestChars",
          "cursorAfter",
          "decodeCursor",
          "defineErrors",
          "deserializePayload",
          "detectDialect",
          "dialects",
          "digestContentType",
          "digestPayloadSchema",
          "digestVersion",
          "duplicateEntry",
          "encodeCursor",
          "encodeEnvelope",
          "envelopeRules",
          "envelopeSchema",
          "envelopeSchemaOf",
          "envelopeV1Capability",
          "envelopeV1Codes",
          "envelopeV1ErrorSchema",
          "envelopeV1Schema",
          "errorCatalogue",
          "errorResponse",
          "errorTypes",
          "estimateDigestTokens",
          "estimateTokens",
          "evidenceSnippetSchema",
          "failureDataSchema",
          "failureSchema",
          "featureDisabled",
          "fidelityLevels",
          "fidelitySchemaVersion",
          "fitToBudget",
          "forbidden",
          "formatLocator",
          "fromEnvelopeV1",
          "fromResponseV1",
          "fromUnknown",
          "internal",
          "invalidCursor",
          "isContractError",
          "isDigest",
          "isEnvelope",
          "isLocator",
          "isRetryable",
          "jsonSchemaOf",
          "locatorPattern",
          "metaSchema",
          "notFound",
          "pageSiblings",
          "pageSorted",
          "paginationSchema",
          "parseLimit",
          "parseLocator",
          "queryHash",
          "rateLimitSchema",
          "rateLimited",
          "readEnvelope",
          "readPlace",
          "requestIdSchema",
          "reservedMetaKeys",
          "responseV1Schema",
          "responseV1SchemaVersion",
          "responseVersion",
          "retryAdvice",
          "retryAfter",
          "schemaNames",
          "serializeEnvelope",
          "serializePayload",
          "severities",
          "sourceTextHash",
          "successResponse",
          "successSchema",
          "successSchemaOf",
          "telemetrySchema",
          "tiers",
          "timedOut",
          "toEnvelopeV1",
          "toHttpStatus",
          "toJsonText",
          "toPage",
          "toProblemDetails",
          "toResponseV1",
          "unauthorized",
          "unavailable",
          "upgradeHintSchema",
          "upgradeRequired",
          "validatePayload",
          "validationError",
          "verifySnippet",
          "warning",
          "warningCatalogue",
          "warningDetailSchema",
        ],
      }
    `);
  });

  it("@foundry-mcp/toolkit is a door only, so far", async () => {
    expect(Object.keys(await import("@foundry-mcp/toolkit"))).toEqual([]);
  });

  it("foundry-mcp is a door only, so far", async () => {
    expect(Object.keys(await import("foundry-mcp"))).toEqual([]);
  });
});
