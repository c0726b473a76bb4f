import { createHash } from "node:crypto";
import { checkEnvelope, detectDialect, envelopeV1Schema, readEnvelope } from "@foundry-mcp/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterEach, describe, expect, it } from "vitest";
import { createGoodServer } from "./good-server.ts";
import type { Json, RpcMessage } from "./rpc.ts";
import { serveRaw } from "./serve-raw.ts";
import type { ZooDialect } from "./to-definition.ts";
import { openZooClient, type ZooClient } from "./zoo-client.ts";

interface Result {
  readonly structuredContent: Json;
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

const clients: ZooClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function open(dialect: ZooDialect): Promise<ZooClient> {
  const client = await openZooClient({
    serve: (transport) => serveRaw(createGoodServer({}, dialect), transport),
  });
  clients.push(client);
  return client;
}

const resultOf = (message: RpcMessage) => message.result as unknown as Result;
const envelopeOf = (message: RpcMessage) => readEnvelope(resultOf(message).structuredContent);

/** Calls of every kind, each with a tool, arguments, and the expected error code. A success has no error code. */
const calls: readonly (readonly [string, unknown, string?])[] = [
  ["note", { action: "list" }],
  ["note", { action: "list", with_text: null, note_id: null }],
  ["note", { action: "get", note_id: "note-03" }],
  ["note", { action: "get", note_id: "note-03", with_text: false }],
  ["note", { action: "get", note_id: "note-99" }, "NOT_FOUND"],
  ["note", { action: "get" }, "MISSING_REQUIRED"],
  ["note", { action: "get", note_id: null }, "MISSING_REQUIRED"],
  ["note", { action: "get", note_id: 7 }, "INVALID_FORMAT"],
  ["note", { action: "erase" }, "VALIDATION_ERROR"],
  ["note", {}, "MISSING_REQUIRED"],
  ["note", { action: 3 }, "INVALID_FORMAT"],
  ["note", { action: "list", colour: "red" }, "VALIDATION_ERROR"],
  ["echo", { text: "hello" }],
  ["echo", { text: "", times: null }],
  ["echo", { text: "hello", times: 3 }],
  ["echo", { text: "hello", times: 6 }, "VALIDATION_ERROR"],
  ["echo", { text: " " }, "VALIDATION_ERROR"],
  ["echo", { text: {} }, "INVALID_FORMAT"],
  ["echo", { times: "two" }, "VALIDATION_ERROR"],
  ["echo", { text: "hello", colour: null }, "VALIDATION_ERROR"],
  ["echo", "hello", "INVALID_FORMAT"],
  ["handbook", {}],
];

const pagedCalls: typeof calls = [
  ["note", { action: "list", limit: 20, cursor: null }],
  ["note", { action: "list", limit: 0 }, "VALIDATION_ERROR"],
  ["note", { action: "list", limit: 21 }, "VALIDATION_ERROR"],
  ["note", { action: "list", limit: 2.5 }, "INVALID_FORMAT"],
  ["note", { action: "list", cursor: "nonsense" }, "INVALID_CURSOR"],
  ["note", { action: "list", cursor: "" }, "INVALID_CURSOR"],
  ["handbook", { max_tokens: 2000 }],
  ["handbook", { max_tokens: 10 }, "CONTENT_TOO_LARGE"],
  ["content", { action: "list" }],
  ["content", { action: "get", archive_id: "arc_handbook" }],
  ["content", { action: "get", content_id: "sec-07" }],
  ["content", { action: "get", content_id: "sec-77" }, "CONTENT_NOT_FOUND"],
  ["content", { action: "get" }, "MISSING_REQUIRED"],
];

describe.each(["response-v2", "envelope-v1", "response-v1"] as const)("the good server in %s", (dialect) => {
  const all = dialect === "response-v1" ? calls : [...calls, ...pagedCalls];

  it("answers every call as the contract says, in both channels and within its output schema", async () => {
    const client = await open(dialect);
    const { tools } = (await client.request("tools/list")).result as unknown as {
      tools: readonly { name: string; inputSchema: object; outputSchema: object }[];
    };
    const ajv = new Ajv2020();
    const schemas = new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]));
    for (const { inputSchema } of tools) ajv.compile(inputSchema);
    const seen: (readonly [string, unknown, string?])[] = [];
    for (const [tool, args] of all) {
      const message = await client.call(tool, args, "req_mine");
      const { structuredContent, content, isError = false } = resultOf(message);
      expect(content.map(({ text }) => text)).toEqual([JSON.stringify(structuredContent)]);
      expect(detectDialect(structuredContent)).toBe(dialect);
      const envelope = readEnvelope(structuredContent);
      // In response-v2, the server determines the order of keys. In the other dialects, the conversion determines the
      // order.
      const found = checkEnvelope(dialect === "response-v2" ? structuredContent : envelope);
      expect(found.filter(({ rule }) => dialect === "response-v2" || rule !== "E8")).toEqual([]);
      expect(isError).toBe(!envelope.success);
      expect(schemas.get(tool)?.(structuredContent)).toBe(true);
      if (dialect !== "response-v1") expect(envelope.meta.request_id).toBe("req_mine");
      seen.push(envelope.success ? [tool, args] : [tool, args, envelope.data.error_code!]);
    }
    expect(seen).toEqual(all);
  });

  it("names what is wrong with bad arguments", async () => {
    const client = await open(dialect);
    const named = async (tool: string, args: object) => {
      const { success, data, error } = envelopeOf(await client.call(tool, args));
      return success ? undefined : [error, data.error_type, data.details?.["field"], data.remediation];
    };
    expect(await named("echo", {})).toEqual([
      "Validation failed: text is required",
      "validation",
      "text",
      "Provide text.",
    ]);
    expect(await named("note", { action: "lost" })).toEqual([
      "Unknown action: lost",
      "validation",
      "action",
      "Use one of: list, get.",
    ]);
    const several = envelopeOf(await client.call("echo", { colour: 1, times: 9 }));
    expect(several).toMatchObject({
      error:
        "Unknown argument: colour; Validation failed: times must be a whole number from 1 to 5; Validation failed: text is required",
      data: { error_code: "VALIDATION_ERROR", details: { field: "colour" } },
    });
  });

  it("refuses an unknown tool with an error of the protocol that carries the envelope", async () => {
    const client = await open(dialect);
    const { error, result } = await client.call("not", {});
    expect(result).toBeUndefined();
    expect(error).toMatchObject({ code: -32602, message: "Unknown tool: not" });
    expect(detectDialect(error?.data)).toBe(dialect);
    expect(readEnvelope(error?.data)).toMatchObject({
      success: false,
      error: "Unknown tool: not",
      data: { error_code: "VALIDATION_ERROR", remediation: expect.stringMatching(/^Use one of: note, /) },
    });
  });
});

describe.each(["response-v2", "envelope-v1"] as const)("lists and long answers in %s", (dialect) => {
  it.each([undefined, 1, 3, 5, 12, 20])("pages through every note once with limit %s", async (limit) => {
    const client = await open(dialect);
    const ids: unknown[] = [];
    let cursor: string | null = null;
    do {
      const args = { action: "list", ...(limit === undefined ? {} : { limit }), cursor };
      const { data, meta } = envelopeOf(await client.call("note", args));
      const { notes } = data as { notes: readonly { id: string }[] };
      ids.push(...notes.map(({ id }) => id));
      expect(meta.pagination).toMatchObject({ total_count: 12, page_size: notes.length });
      expect(notes.length).toBeLessThanOrEqual(limit ?? 3);
      expect(meta.pagination?.has_more).toBe(ids.length < 12);
      cursor = meta.pagination?.cursor ?? null;
      expect(cursor !== null).toBe(meta.pagination?.has_more);
    } while (cursor !== null);
    expect(ids).toEqual(
      Array.from({ length: 12 }, (_, index) => `note-${String(index + 1).padStart(2, "0")}`),
    );
  });

  it("refuses the cursor of another list, and an altered one", async () => {
    const client = await open(dialect);
    const { meta } = envelopeOf(await client.call("note", { action: "list" }));
    const cursor = String(meta.pagination?.cursor);
    const altered = `${cursor.slice(0, -2)}AA`;
    for (const [tool, given] of [["content", cursor] as const, ["note", altered] as const]) {
      const { data } = envelopeOf(await client.call(tool, { action: "list", cursor: given }));
      expect(data).toMatchObject({ error_code: "INVALID_CURSOR" });
    }
  });

  it.each([1000, 2000, 3000])("keeps to a budget of %i tokens and loses nothing", async (budget) => {
    const client = await open(dialect);
    const message = await client.call("handbook", { max_tokens: budget });
    const text = resultOf(message).content[0]!.text;
    expect(countTokens(text)).toBeLessThanOrEqual(budget);
    const { data, meta } = envelopeOf(message);
    const kept = (data as { sections: readonly { id: string }[] }).sections;
    const dropped = meta.dropped_content_ids ?? [];
    expect(meta).toMatchObject({
      content_fidelity: "partial",
      content_fidelity_schema_version: "1.0",
      warning_details: [{ code: "CONTENT_TRUNCATED", context: { dropped_count: dropped.length } }],
    });
    const fetch = async (args: object) =>
      String((envelopeOf(await client.call("content", { action: "get", ...args })).data as Json)["text"]);
    const parts = await Promise.all(
      dropped.map(async (content_id) => JSON.parse(await fetch({ content_id })) as { id: string }),
    );
    const [[archive_id, hash]] = Object.entries(meta.content_archive_hashes ?? {}) as [[string, string]];
    const whole = await fetch({ archive_id });
    expect(`sha256:${createHash("sha256").update(whole, "utf8").digest("hex")}`).toBe(hash);
    expect(JSON.parse(whole)).toEqual({ sections: [...kept, ...parts] });
    expect(await fetch({ hash })).toBe(whole);
  });
});

describe("the handshake and request ids", () => {
  it("refuses methods other than those of tools", async () => {
    const client = await open("response-v2");
    expect((await client.request("ping")).result).toEqual({});
    expect((await client.request("server/discover")).error?.code).toBe(-32601);
  });

  it("creates an id if the caller's is invalid", async () => {
    const client = await open("response-v2");
    const { meta } = envelopeOf(await client.call("echo", { text: "hello" }, "not an id"));
    expect(meta).toMatchObject({ client_request_id: "not an id" });
    expect(meta.request_id).toMatch(/^req_[0-9a-f]{12}$/);
  });

  it("sends all of envelope-v1 at tier pro, with hints", async () => {
    const client = await open("envelope-v1");
    const { structuredContent } = resultOf(await client.call("echo", { text: "hello" }));
    expect(envelopeV1Schema.parse(structuredContent)).toMatchObject({
      tier: "pro",
      tool_id: "echo",
      duration_ms: expect.any(Number),
      upgrade_hints: [{ feature: "many-echoes", tier: "enterprise" }],
      data: { text: "hello" },
    });
    expect(structuredContent["data"]).not.toHaveProperty("_response_v2");
  });
});
