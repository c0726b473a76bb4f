import {
  checkEnvelope,
  detectDialect,
  dialects,
  errorResponse,
  isContractError,
  successResponse,
  toEnvelopeV1,
  toResponseV1,
} from "@foundry-mcp/contract";
import { createRegistry } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import type { RawReply } from "@foundry-mcp/toolkit/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AnswerPager } from "../shape/page-answer.ts";
import { OpenQuestions } from "./open-questions.ts";
import { createUpstreamTool } from "./upstream-tool.ts";

const oddText = fc.oneof(
  fc.string({ maxLength: 40, unit: "binary" }),
  fc.constantFrom(
    "",
    "404 not found",
    "Error: rate limit, retry after 5 s",
    "HTTP 503",
    "\ud800",
    "{}",
    "[1,2]",
    "null",
    "5",
  ),
  fc.json({ maxDepth: 3 }),
  fc.string({ minLength: 200, maxLength: 400 }).map((text) => text.repeat(20)),
);
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 4, noUnicodeString: false }),
  fc.anything({ maxDepth: 3, withBigInt: false, withNullPrototype: true }),
);
const list = fc.array(fc.oneof(fc.record({ id: fc.nat(), name: oddText }), fc.jsonValue({ maxDepth: 2 })), {
  maxLength: 60,
});
const identity = {
  tier: "community",
  toolId: "call",
  toolVersion: "1.0.0",
  capabilities: ["response-v2"],
} as const;
const envelope = fc
  .tuple(
    fc.boolean(),
    fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 })),
    oddText,
    fc.nat(2),
  )
  .map(([success, data, text, form]) => {
    const built = success ? successResponse(data) : errorResponse(`Failed: ${text}`, { details: data });
    return form === 0 ? built : form === 1 ? toEnvelopeV1(built, identity) : toResponseV1(built);
  });
/** Generates envelopes in which one member is replaced with any value, or a member is added. */
const brokenEnvelope = fc
  .tuple(envelope, fc.constantFrom("success", "data", "error", "meta", "other"), anyValue)
  .map(([whole, key, value]) => ({ ...whole, [key]: value }));
const block = fc.oneof(
  fc.record({
    type: fc.constant("text"),
    text: fc.oneof(
      oddText,
      fc.oneof(envelope, brokenEnvelope).map((each) => JSON.stringify(each) ?? ""),
    ),
  }),
  fc.record(
    { type: fc.constantFrom("image", "audio"), data: oddText, mimeType: oddText },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    { type: fc.constant("resource_link"), uri: oddText, name: oddText, size: anyValue },
    { requiredKeys: ["type"] },
  ),
  fc.record({ type: fc.constant("resource"), resource: anyValue }),
  anyValue,
);
const result = fc.record(
  {
    content: fc.oneof(fc.array(block, { maxLength: 5 }), anyValue),
    structuredContent: fc.oneof(
      anyValue,
      envelope,
      brokenEnvelope,
      list.map((rows) => ({ rows })),
      list,
    ),
    isError: fc.oneof(fc.boolean(), anyValue),
    resultType: fc.oneof({ weight: 5, arbitrary: fc.constant("complete") }, anyValue),
    _meta: anyValue,
  },
  { requiredKeys: [] },
);
const failure = fc.tuple(oddText, fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 })));
const reply: fc.Arbitrary<RawReply> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.oneof(result, anyValue).map((value) => ({ kind: "result", result: value }) as const),
  },
  fc
    .tuple(fc.oneof(fc.integer(), fc.constantFrom(-32_602, -32_603, -32_002, 404)), oddText, anyValue)
    .map(([code, message, data]) => ({ kind: "error", code, message, data }) as const),
  failure.map(
    ([text, details]) =>
      ({
        kind: "none",
        failure: errorResponse(`Failed: ${text}`, { errorCode: "UNAVAILABLE", details }),
      }) as const,
  ),
);

/** Calls a tool whose upstream sends generated replies, and checks that every answer is a valid envelope. */
export function describeAnyReply(numRuns: number): void {
  describe("any reply of an upstream", () => {
    it.each(dialects)("becomes an envelope in %s, and the call never throws", async (dialect) => {
      let next: RawReply = { kind: "result", result: {} };
      const archive = createMemoryArchive();
      const upstream = {
        name: "one",
        limits: { timeoutMs: 60_000, concurrency: 1 },
        redact: (text: string) => text.replaceAll("secret", "***"),
        relaysQuestions: false,
        returnsQuestions: false,
        callTool: async () => next,
      };
      const definition = {
        name: "call",
        description: "",
        inputSchema: { type: "object" },
        annotations: {},
        meta: {},
      };
      const tool = createUpstreamTool(
        "call",
        definition,
        { isAllowed: true, isShaped: true },
        { upstream, pager: new AnswerPager(archive), questions: new OpenQuestions() },
      );
      const registry = createRegistry({
        ...{
          name: "test",
          version: "1.0.0",
          serverTool: false,
          outputDetail: "open",
          dialects,
          dialect,
          tools: [tool],
        },
        budget: { maxTokens: 700, archive },
      });
      await fc.assert(
        fc.asyncProperty(
          reply,
          fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
          async (given, limit) => {
            next = given;
            const args = limit === undefined ? {} : { limit };
            const outcome = await registry.dispatch(
              { tool: "call", args },
              { surface: "stdio", client: { name: "test" } },
            );
            expect(checkEnvelope(outcome.envelope).filter(({ level }) => level === "MUST")).toEqual([]);
            expect(detectDialect(JSON.parse(outcome.text))).toBe(dialect);
            // The handler throws only for an answer that is far too long and may not be shortened, in response-v1.
            const { thrown } = outcome;
            expect(thrown === undefined || (isContractError(thrown) && thrown.code)).toBeOneOf([
              true,
              "CONTENT_TOO_LARGE",
            ]);
            const types = outcome.blocks.map(({ type }) => type);
            expect(types.filter((type) => typeof type !== "string")).toEqual([]);
          },
        ),
        { numRuns },
      );
    });
  });
}
