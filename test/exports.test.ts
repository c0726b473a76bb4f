import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./source-files.ts";

// This file lists the public names of all entry points. If you change a public name on purpose, update this list, the
// docs and CHANGELOG.md.

/** Reads the names that an entry point exports, with values and types in separate lists. */
function readEntryPoint(path: string): { values: string[]; types: string[] } {
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
    const names = readEntryPoint("packages/contract/src/index.ts");
    expect(Object.keys(await import("@foundry-mcp/contract")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "ContractSchema",
          "DefinedErrors",
          "DescribeRemedy",
          "Dialect",
          "EncodedEnvelope",
          "Envelope",
          "EnvelopeCheckOptions",
          "EnvelopeRule",
          "EnvelopeRuleId",
          "EnvelopeV1",
          "EnvelopeV1Code",
          "EnvelopeV1Error",
          "ErrorCatalogue",
          "ErrorCode",
          "ErrorDefinition",
          "ErrorEntry",
          "ErrorType",
          "ErrorTypeEntry",
          "Failure",
          "FailureContext",
          "FailureData",
          "FailureOptions",
          "Fidelity",
          "FieldError",
          "Finding",
          "JsonObject",
          "JsonProblem",
          "JsonText",
          "JsonValue",
          "Meta",
          "MetaOptions",
          "NamedParameter",
          "Pagination",
          "PaginationOptions",
          "ProblemDetails",
          "RateLimit",
          "RateLimitOptions",
          "Remedy",
          "RemedyCall",
          "ResponseV1",
          "RetryAdvice",
          "RetryOptions",
          "RuleLevel",
          "Severity",
          "Success",
          "Telemetry",
          "TelemetryOptions",
          "Tier",
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
          "conflict",
          "defineErrors",
          "describeRemedy",
          "detectDialect",
          "dialects",
          "duplicateEntry",
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
          "failureDataSchema",
          "failureSchema",
          "featureDisabled",
          "fidelityLevels",
          "forbidden",
          "fromEnvelopeV1",
          "fromResponseV1",
          "fromUnknown",
          "internal",
          "isContractError",
          "isEnvelope",
          "isRecord",
          "isRetryable",
          "metaSchema",
          "notFound",
          "paginationSchema",
          "problemDetailsSchema",
          "rateLimitSchema",
          "rateLimited",
          "readEnvelope",
          "requestIdPattern",
          "reservedMetaKeys",
          "responseV1Schema",
          "responseVersion",
          "retryAdvice",
          "retryAfter",
          "serializeEnvelope",
          "severities",
          "successResponse",
          "successSchema",
          "successSchemaOf",
          "telemetrySchema",
          "tiers",
          "timedOut",
          "toEnvelopeV1",
          "toHttpStatus",
          "toJsonPath",
          "toJsonSchema",
          "toJsonText",
          "toProblemDetails",
          "toResponseV1",
          "unauthorized",
          "unavailable",
          "upgradeHintSchema",
          "upgradeRequired",
          "validationError",
          "warning",
          "warningCatalogue",
          "warningDetailSchema",
        ],
      }
    `);
  });

  it("@foundry-mcp/contract/input", async () => {
    const names = readEntryPoint("packages/contract/src/input.ts");
    expect(Object.keys(await import("@foundry-mcp/contract/input")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [],
        "values": [
          "JsonDepthError",
          "byLikeness",
          "editDistance",
          "isQuotable",
          "isTooDeep",
          "maxDepth",
          "mayBeTooDeep",
          "nearest",
          "parseJsonText",
          "quoteName",
          "tooDeep",
        ],
      }
    `);
  });

  it("@foundry-mcp/contract/paging", async () => {
    const names = readEntryPoint("packages/contract/src/paging.ts");
    expect(Object.keys(await import("@foundry-mcp/contract/paging")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "CursorPlace",
          "CursorQuery",
          "KeyPart",
          "Page",
          "PageLimits",
          "PageRequest",
          "SiblingRequest",
          "SortDirection",
          "SourcePlace",
        ],
        "values": [
          "compareKeys",
          "cursorAfter",
          "decodeCursor",
          "encodeCursor",
          "invalidCursor",
          "pageSiblings",
          "pageSorted",
          "parseLimit",
          "readPlace",
          "toPage",
        ],
      }
    `);
  });

  it("@foundry-mcp/contract/budget", async () => {
    const names = readEntryPoint("packages/contract/src/budget.ts");
    expect(Object.keys(await import("@foundry-mcp/contract/budget")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "ArchiveReference",
          "Dropped",
          "DroppedPart",
          "FitOptions",
          "FitResult",
          "PagedList",
          "TokenCounter",
        ],
        "values": [
          "estimateTokens",
          "fitToBudget",
          "ownIdOf",
        ],
      }
    `);
  });

  it("@foundry-mcp/contract/digest", async () => {
    const names = readEntryPoint("packages/contract/src/digest.ts");
    expect(Object.keys(await import("@foundry-mcp/contract/digest")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "DigestPayload",
          "DigestText",
          "EvidenceSnippet",
          "Locator",
        ],
        "values": [
          "countDigestChars",
          "deserializePayload",
          "digestContentType",
          "digestPayloadSchema",
          "digestVersion",
          "estimateDigestTokens",
          "evidenceSnippetSchema",
          "formatLocator",
          "isDigest",
          "isLocator",
          "parseLocator",
          "queryHash",
          "serializePayload",
          "sourceTextHash",
          "validatePayload",
          "verifySnippet",
        ],
      }
    `);
  });

  it("@foundry-mcp/toolkit", async () => {
    const names = readEntryPoint("packages/toolkit/src/index.ts");
    expect(Object.keys(await import("@foundry-mcp/toolkit")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "Action",
          "ActionDefinition",
          "ActionExample",
          "ActionHints",
          "ActionToolDefinition",
          "Agreement",
          "ArgumentParser",
          "AskRequest",
          "Asker",
          "Attachment",
          "Budget",
          "Call",
          "CallOptions",
          "CallSlots",
          "Caller",
          "Change",
          "CliHelp",
          "CliPlacement",
          "Client",
          "Compatibility",
          "CompatibleAnswer",
          "CompatibleCall",
          "CompatibleKey",
          "CompatibleParameter",
          "Completer",
          "Context",
          "ElicitAnswer",
          "EndNotice",
          "FeatureOptions",
          "FixedResource",
          "HealthChecks",
          "HealthReport",
          "Holding",
          "JsonSchema",
          "LazySchema",
          "ListedResource",
          "LogLevel",
          "Logger",
          "Outcome",
          "PageOptions",
          "Pager",
          "Payload",
          "PlainToolDefinition",
          "Principal",
          "Progress",
          "Prompt",
          "PromptDefinition",
          "PromptMessage",
          "PromptResult",
          "Question",
          "Registry",
          "RegistryOptions",
          "RequestContext",
          "Resource",
          "ResourceContents",
          "ResourceTemplate",
          "ReturnedEnvelope",
          "Role",
          "SampleAnswer",
          "SampleRequest",
          "Schema",
          "SchemaInput",
          "SchemaOutput",
          "Shares",
          "SharesOptions",
          "Surface",
          "Tool",
          "ToolDefinition",
        ],
        "values": [
          "InputRequired",
          "action",
          "cannotAsk",
          "capabilityOf",
          "createArgumentParser",
          "createCallSlots",
          "createRegistry",
          "createShares",
          "definePrompt",
          "defineResource",
          "defineTool",
          "describeConfirmation",
          "isInputRequired",
          "maskFromPassword",
          "maskUrlPassword",
          "payload",
          "rows",
          "stripUserInfo",
          "suggest",
          "toReference",
          "withJsonSchema",
        ],
      }
    `);
  });

  it("@foundry-mcp/toolkit/stdio", async () => {
    const names = readEntryPoint("packages/toolkit/src/stdio.ts");
    expect(Object.keys(await import("@foundry-mcp/toolkit/stdio")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "RunningServer",
          "StdioOptions",
        ],
        "values": [
          "openStderrLogger",
          "serveStdio",
        ],
      }
    `);
  });

  it("@foundry-mcp/toolkit/http", async () => {
    const names = readEntryPoint("packages/toolkit/src/http.ts");
    expect(Object.keys(await import("@foundry-mcp/toolkit/http")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "HashedGrant",
          "HttpApp",
          "HttpAppOptions",
          "HttpExchange",
          "HttpOptions",
          "HttpRoute",
          "HttpRoutes",
          "RunningHttpServer",
          "TokenGrant",
        ],
        "values": [
          "createHttpApp",
          "parseGrants",
          "serveHttp",
        ],
      }
    `);
  });

  it("@foundry-mcp/toolkit/mcp", async () => {
    const names = readEntryPoint("packages/toolkit/src/mcp.ts");
    expect(Object.keys(await import("@foundry-mcp/toolkit/mcp")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "McpHost",
          "McpHostOptions",
          "ServerConnection",
          "WrapOptions",
          "WrappedTool",
        ],
        "values": [
          "ProtocolRefusal",
          "acceptedContent",
          "createMcpHost",
          "createMcpServer",
          "createRequestStateCodec",
          "forwardChanges",
          "inputRequired",
          "wrapTool",
        ],
      }
    `);
  });

  it("@foundry-mcp/toolkit/client", async () => {
    const names = readEntryPoint("packages/toolkit/src/client.ts");
    expect(Object.keys(await import("@foundry-mcp/toolkit/client")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "CommandTarget",
          "ConnectOptions",
          "Connection",
          "ErrorContext",
          "InProcessTarget",
          "InProcessTool",
          "LoginClient",
          "LoginOptions",
          "LoginState",
          "LoginStore",
          "PagesOptions",
          "QuestionReceiver",
          "RawConnection",
          "RawOptions",
          "RawReply",
          "RawRequestOptions",
          "RawTarget",
          "ResultContext",
          "RetryPolicy",
          "SseTarget",
          "Target",
          "TaskHandle",
          "ToolCallOptions",
        ],
        "values": [
          "connect",
          "connectRaw",
          "login",
          "pages",
          "readCallToolResult",
          "readContentBlocks",
          "readProtocolError",
          "retry",
          "toRpcError",
          "unwrap",
        ],
      }
    `);
  });

  it("@foundry-mcp/toolkit/flags", async () => {
    const names = readEntryPoint("packages/toolkit/src/flags.ts");
    expect(Object.keys(await import("@foundry-mcp/toolkit/flags")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "Flag",
          "FlagDefinition",
          "FlagOverrides",
          "FlagProviderOptions",
          "FlagReport",
          "FlagRule",
          "FlagSet",
          "FlagState",
          "FlagVerdict",
          "Flags",
          "FlagsOptions",
          "GivenFlags",
        ],
        "values": [
          "FlagProvider",
          "openFlags",
        ],
      }
    `);
  });

  it("@foundry-mcp/toolkit/limits", async () => {
    const names = readEntryPoint("packages/toolkit/src/limits.ts");
    expect(Object.keys(await import("@foundry-mcp/toolkit/limits")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "PostgresClient",
          "PostgresCounts",
          "Quota",
          "RateLimiter",
          "RateLimiterOptions",
          "RateRule",
        ],
        "values": [
          "createRateLimiter",
        ],
      }
    `);
  });

  it("@foundry-mcp/toolkit/jobs", async () => {
    const names = readEntryPoint("packages/toolkit/src/jobs.ts");
    expect(Object.keys(await import("@foundry-mcp/toolkit/jobs")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "ArchivedResult",
          "Job",
          "JobCall",
          "JobEnding",
          "JobError",
          "JobFilter",
          "JobLease",
          "JobLimits",
          "JobQuestion",
          "JobStatus",
          "JobStorage",
          "JobStore",
          "JobStoreOptions",
          "JobsToolOptions",
          "Lease",
          "LeasedJob",
          "NewJob",
          "ResolvedJobLimits",
        ],
        "values": [
          "createJobStore",
          "createJobsTool",
          "createMemoryJobStorage",
          "createMemoryJobs",
          "hasEnded",
          "hasExpired",
          "isJobId",
          "openQuestions",
        ],
      }
    `);
  });

  it("@foundry-mcp/toolkit/archive", async () => {
    const names = readEntryPoint("packages/toolkit/src/archive.ts");
    expect(Object.keys(await import("@foundry-mcp/toolkit/archive")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "ArchiveLimits",
          "ArchiveOptions",
          "ArchiveStorage",
          "ContentArchive",
          "ContentEntry",
          "ContentKey",
          "FileArchiveOptions",
          "NewContent",
          "ResolvedLimits",
          "StoredContent",
          "StoredEntry",
        ],
        "values": [
          "archiveIdOf",
          "contentHashOf",
          "createArchive",
          "createFileArchive",
          "createMemoryArchive",
        ],
      }
    `);
  });

  it("@foundry-mcp/toolkit/files", async () => {
    const names = readEntryPoint("packages/toolkit/src/files.ts");
    expect(Object.keys(await import("@foundry-mcp/toolkit/files")).toSorted()).toEqual(names.values);
    expect(names).toEqual({
      types: [
        "AppendOptions",
        "FileCalls",
        "FileContent",
        "FileIdentity",
        "FileStat",
        "FileSystem",
        "FileTree",
        "FileTreeOptions",
        "FolderOptions",
        "LocatedFile",
        "NamedFileOptions",
        "NewFile",
        "OwnFilesOptions",
        "ResolvedPath",
        "TemporaryOrigin",
        "TreeEntry",
        "WorkspaceFilesOptions",
      ],
      values: [
        "asyncCalls",
        "createFileTree",
        "createOwnFiles",
        "createWorkspaceFiles",
        "findKind",
        "isAllowedFolder",
        "isBelow",
        "isMissing",
        "isRemoteFolder",
        "isSameFile",
        "isSameText",
        "parseTemporaryName",
        "readNamedFile",
        "readRegularFile",
        "requireWritableFile",
        "resolveLinks",
        "syncCalls",
        "systemErrorCode",
        "temporaryPrefix",
        "toFileError",
        "toTemporaryName",
        "unlessMissing",
        "writeNamedFile",
      ],
    });
  });

  it("@foundry-mcp/toolkit/terminal", async () => {
    const names = readEntryPoint("packages/toolkit/src/terminal.ts");
    expect(Object.keys(await import("@foundry-mcp/toolkit/terminal")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "Canvas",
          "Colors",
          "Column",
          "Field",
          "Glyphs",
          "Line",
          "LogStream",
          "LogTarget",
          "Span",
          "Style",
          "TableCell",
          "TreeNode",
          "View",
        ],
        "values": [
          "age",
          "bar",
          "blank",
          "commandLines",
          "createLogStream",
          "fields",
          "glyphsOf",
          "indent",
          "line",
          "list",
          "listOf",
          "numberOf",
          "percent",
          "pluralize",
          "prose",
          "recordOf",
          "recordsOf",
          "render",
          "section",
          "shorten",
          "showView",
          "stack",
          "styled",
          "table",
          "textOf",
          "textsOf",
          "timeLeft",
          "toVisible",
          "tree",
          "truncate",
          "viewOf",
          "widthOf",
          "withLead",
          "wordsOf",
        ],
      }
    `);
  });

  it("@foundry-mcp/toolkit/cli", async () => {
    const names = readEntryPoint("packages/toolkit/src/cli.ts");
    expect(Object.keys(await import("@foundry-mcp/toolkit/cli")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "Canvas",
          "CliOptions",
          "Colors",
          "CommandArgument",
          "CommandContext",
          "CommandOperands",
          "CommandOption",
          "CommandParts",
          "CommandValues",
          "FallbackUse",
          "FallbackValue",
          "HomePage",
          "OutputFormat",
          "ParameterResolver",
          "ParameterResolvers",
          "ProgramCommand",
          "ProgramOption",
          "RegistrySource",
          "ShownFormat",
        ],
        "values": [
          "completeOperand",
          "listCommandTools",
          "pluralize",
          "runCli",
          "serveCli",
          "toArgv",
          "toShellCommand",
          "toVisible",
          "truncate",
          "widthOf",
        ],
      }
    `);
  });

  it("@foundry-mcp/toolkit/metrics", async () => {
    const names = readEntryPoint("packages/toolkit/src/metrics.ts");
    expect(Object.keys(await import("@foundry-mcp/toolkit/metrics")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "Metrics",
        ],
        "values": [
          "openMetrics",
        ],
      }
    `);
  });

  it("foundry-mcp", async () => {
    const entryPoint = readEntryPoint("packages/foundry/src/index.ts");
    expect(Object.keys(await import("foundry-mcp")).toSorted()).toEqual(entryPoint.values);
    expect(entryPoint).toMatchInlineSnapshot(`
      {
        "types": [
          "OpenServer",
          "ServerOptions",
        ],
        "values": [
          "openServer",
        ],
      }
    `);
  });

  it("foundry-mcp/check", async () => {
    const names = readEntryPoint("packages/foundry/src/check.ts");
    expect(Object.keys(await import("foundry-mcp/check")).toSorted()).toEqual(names.values);
    expect(names).toMatchInlineSnapshot(`
      {
        "types": [
          "Area",
          "CallsFile",
          "CheckFinding",
          "CheckReport",
          "CheckTarget",
          "CheckerRuleId",
          "PlannedCall",
          "Profile",
          "Rule",
          "RuleResult",
          "RuleStatus",
          "ServerCheckOptions",
          "ToolCoverage",
        ],
        "values": [
          "areas",
          "checkServer",
          "parseCalls",
          "rules",
          "writeCalls",
        ],
      }
    `);
  });
});
