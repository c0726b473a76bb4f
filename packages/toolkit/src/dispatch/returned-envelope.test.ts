import {
  ContractError,
  checkEnvelope,
  type Envelope,
  errorResponse,
  successResponse,
} from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import type { Context } from "../context/context.ts";
import type { Logger } from "../context/logger.ts";
import { defineTool } from "../define/tool.ts";
import { createRateLimiter } from "../limits/create-rate-limiter.ts";
import { createRegistry } from "../registry/registry.ts";
import type { RegistryOptions } from "../registry/registry-options.ts";

const durationMs = expect.any(Number);

function call(
  run: (context: Context) => object,
  options: Partial<RegistryOptions> = {},
  requestId = "mine",
): Promise<Envelope> {
  const tool = defineTool({
    name: "it",
    version: "1.0.0",
    description: "It",
    run: (_input, context) => run(context),
  });
  const registry = createRegistry({ name: "test", version: "1.0.0", tools: [tool], ...options });
  return registry.call("it", {}, { requestId });
}

describe("an envelope that a handler returns", () => {
  it("is the answer, its meta merged with that of the call", async () => {
    const answer = await call(
      (context) => {
        context.warn("STALE_CACHE", "The index is a day old");
        return successResponse(
          { rows: [1] },
          {
            requestId: "of-the-handler",
            warnings: ["One source is missing"],
            pagination: { cursor: null, hasMore: false, pageSize: 1 },
            telemetry: { durationMs: 9_999, db_queries: 3 },
            meta: { own: true },
          },
        );
      },
      { warnings: () => [{ message: "The disk is nearly full" }] },
      "not an id",
    );
    expect(answer).toEqual({
      success: true,
      data: { rows: [1] },
      error: null,
      meta: {
        version: "response-v2",
        request_id: expect.stringMatching(/^req_[0-9a-f]{12}$/),
        warnings: ["One source is missing", "The index is a day old", "The disk is nearly full"],
        warning_details: [{ code: "STALE_CACHE", severity: "warning", message: "The index is a day old" }],
        pagination: { cursor: null, has_more: false, page_size: 1 },
        telemetry: { duration_ms: durationMs, db_queries: 3 },
        own: true,
        client_request_id: "not an id",
      },
    });
    expect(answer.meta.telemetry?.duration_ms).toBeLessThan(9_999);
    expect(checkEnvelope(answer, { deep: true })).toEqual([]);
  });

  it("is the same answer as the error that says the same", async () => {
    const options = { errorCode: "CONFLICT", details: { by: "ada" }, warnings: "It is Sunday" } as const;
    const returned = await call(() => errorResponse("The note is being edited", options));
    const thrown = await call(() => {
      throw new ContractError("The note is being edited", options);
    });
    const timeless = ({ meta, ...rest }: Envelope) => ({ ...rest, meta: { ...meta, telemetry: {} } });
    expect(timeless(returned)).toEqual(timeless(thrown));
    expect(returned.success).toBe(false);
    expect(checkEnvelope(returned, { deep: true })).toEqual([]);
  });

  it("counts against the rate limit of the server", async () => {
    const rateLimiter = createRateLimiter({ limit: 10, periodSeconds: 60 });
    const foreign = { limit: 5, remaining: 4, resetAt: "2026-11-15T00:00:00.000Z" };
    const own = { limit: 10, remaining: 9, reset_at: expect.any(String), period: "minute" };
    const answer = await call(() => successResponse({}, { rateLimit: foreign }), { rateLimiter });
    expect(answer.meta.rate_limit).toEqual(own);
    const failure = await call(() => errorResponse("Too many", { rateLimit: foreign }), { rateLimiter });
    expect(failure.meta.rate_limit).toEqual({
      limit: 5,
      remaining: 4,
      reset_at: "2026-11-15T00:00:00.000Z",
    });
  });

  it("is logged as a failure where it is one", async () => {
    const lines: unknown[] = [];
    const note = (level: string) => (facts: object) => lines.push([level, facts]);
    const logger: Logger = {
      debug: note("debug"),
      info: note("info"),
      warn: note("warn"),
      error: note("error"),
      child: () => logger,
    };
    await call(() => errorResponse("The note is being edited", { errorCode: "CONFLICT" }), { logger });
    expect(lines).toEqual([
      ["warn", expect.objectContaining({ success: false, error_code: "CONFLICT", request_id: "mine" })],
    ]);
  });

  it("is reduced to its budget like any answer", async () => {
    const rows = Array.from({ length: 500 }, (_, id) => ({ id, text: "some words of a row" }));
    const failure = await call(() => errorResponse("No", { errorCode: "CONFLICT", details: { rows } }), {
      budget: { maxTokens: 300 },
    });
    expect(failure).toMatchObject({ success: false, data: { error_code: "CONFLICT" }, error: "No" });
    expect(JSON.stringify(failure).length).toBeLessThan(2_000);
  });

  it("that breaks the contract names the fault", async () => {
    const broken = { success: true, data: {}, error: null, meta: { version: "response-v2", warnings: "w" } };
    const answer = await call(() => broken);
    expect(answer).toMatchObject({
      success: false,
      data: {
        error_code: "INTERNAL_ERROR",
        remediation: "This is a fault of the tool: report it with the request id.",
      },
      error:
        "Cannot answer: the handler of it returned an invalid envelope: $.meta.warnings Invalid input: expected array, received string",
    });
  });
});
