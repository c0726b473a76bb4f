import { checkEnvelope, detectDialect, envelopeV1Schema, readEnvelope } from "@foundry-mcp/contract";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Json, RpcMessage } from "./rpc.ts";
import { correctServers } from "./zoo.ts";
import { openZooClient, type ZooClient } from "./zoo-client.ts";
import type { ZooEntry } from "./zoo-entry.ts";

const entryOf = (name: string): ZooEntry => correctServers.find((entry) => entry.name === name)!;

let client: ZooClient;
afterEach(() => client.close());

interface ToolPage {
  readonly tools: readonly {
    readonly name: string;
    readonly inputSchema: object;
    readonly outputSchema: object;
  }[];
  readonly nextCursor?: string;
}

/** The output schemas of every tool, from every page of the list. */
async function readSchemas(): Promise<ReadonlyMap<string, ValidateFunction>> {
  const schemas = new Map<string, ValidateFunction>();
  let cursor: string | undefined;
  do {
    const { result } = await client.request("tools/list", cursor === undefined ? {} : { cursor });
    const { tools, nextCursor } = result as unknown as ToolPage;
    for (const { name, inputSchema, outputSchema } of tools) {
      new Ajv2020().compile(inputSchema);
      schemas.set(name, new Ajv2020().compile(outputSchema));
    }
    cursor = nextCursor;
  } while (cursor !== undefined);
  return schemas;
}

/** Returns the envelope of an answer, after checking its channels, its shape and its schema. */
function read(entry: ZooEntry, message: RpcMessage, fits: ValidateFunction | undefined) {
  const {
    structuredContent,
    content,
    isError = false,
  } = message.result as {
    structuredContent: Json;
    content: { text: string }[];
    isError?: boolean;
  };
  expect(JSON.parse(content[0]!.text)).toEqual(structuredContent);
  expect(detectDialect(structuredContent)).toBe(entry.dialect);
  expect(fits?.(structuredContent)).toBe(true);
  if (entry.dialect === "envelope-v1")
    expect(envelopeV1Schema.safeParse(structuredContent).success).toBe(true);
  else expect(checkEnvelope(structuredContent)).toEqual([]);
  const envelope = readEnvelope(structuredContent);
  expect(isError).toBe(!envelope.success);
  expect(envelope.meta.request_id).toBe("req_zoo");
  return envelope;
}

/** Calls, each with its expected error code, or null for a success. */
const cases: Readonly<Record<string, readonly (readonly [string, object, string | null])[]>> = {
  "correct-units": [
    ["convert_length", { value: 2, from: "mile", to: "metre" }, null],
    ["convert_length", { value: 2, from: "mile", to: "mile", digits: null }, null],
    ["convert_length", { value: "2", from: "mile", to: "metre" }, "VALIDATION_ERROR"],
    ["convert_length", { value: 2, from: "mile" }, "VALIDATION_ERROR"],
    ["convert_length", { value: 2, from: "mile", to: "metre", speed: 1 }, "VALIDATION_ERROR"],
    ["list_units", {}, null],
    ["list_units", { system: "imperial" }, null],
    ["list_units", { system: "royal" }, "VALIDATION_ERROR"],
  ],
  "correct-harbours": [
    ["harbours", {}, null],
    ["harbours", { limit: 50, cursor: null }, null],
    ["harbours", { limit: 0 }, "ARGUMENT_REJECTED"],
    ["harbours", { cursor: "nonsense" }, "INVALID_CURSOR"],
    ["harbour", { harbour_id: "hbr:YO" }, null],
    ["harbour", { harbour_id: "hbr:XX" }, "HARBOUR_UNKNOWN"],
    ["harbour", { harbour_id: null }, "ARGUMENT_REJECTED"],
    ["flags", { cursor: Buffer.from('{"offset":4}').toString("base64url") }, null],
    ["motto", {}, null],
    ["motto", { loud: null }, "ARGUMENT_REJECTED"],
  ],
  "correct-lists": [
    ["large-pages", { limit: 50, cursor: "at-50" }, null],
    ["large-pages", { limit: 9 }, "VALIDATION_ERROR"],
    ["small-pages", { limit: 4 }, "VALIDATION_ERROR"],
    ["small-pages", {}, null],
    ["unstated-range", { limit: 26 }, "VALIDATION_ERROR"],
    ["long", { cursor: "at-4990" }, null],
    ["long-without-total", {}, null],
    ["cursor-only", { limit: 5 }, "VALIDATION_ERROR"],
    ["cursor-only-without-total", { cursor: null }, null],
    ["tokens", { page_size: 5, page_token: "at-5" }, null],
    ["tokens", { page_token: "nonsense" }, "INVALID_CURSOR"],
    ["several-events-of-one-id", {}, null],
    ["lines-alike", {}, null],
    ["audit", {}, null],
    ["facets", {}, null],
    ["nested", {}, null],
    ["on-request", {}, null],
    ["empty", {}, null],
  ],
  "correct-ledger": [
    ["clock", {}, null],
    ["clock", { zone: 1 }, "VALIDATION_ERROR"],
    ["entries", { account: null }, null],
    ["entries", { account: 1 }, "INVALID_FORMAT"],
    ["account", { action: "balance", account: "cash" }, null],
    ["account", { action: "balance" }, "MISSING_REQUIRED"],
    ["account", { action: "burn", account: "cash" }, "VALIDATION_ERROR"],
    ["book", { account: "cash", cents: 250 }, null],
    ["book", { account: "attic", cents: 1 }, "NOT_FOUND"],
    ["close_year", { year: 2024 }, null],
    ["close_year", { year: 1999 }, "INVALID_STATE"],
    ["account", { action: "rename", account: "bank", title: "Savings" }, null],
  ],
};

describe("correct servers keep the contract", () => {
  it.each(correctServers)("$name", async (entry) => {
    client = await openZooClient(entry);
    const schemas = await readSchemas();
    const seen: unknown[] = [];
    for (const [tool, args] of cases[entry.name] ?? []) {
      const { success, data } = read(entry, await client.call(tool, args), schemas.get(tool));
      seen.push([tool, args, success ? null : data.error_code]);
    }
    expect(seen).toEqual(cases[entry.name]);
    expect(new Set(cases[entry.name]?.map(([tool]) => tool))).toEqual(new Set(schemas.keys()));
    const { error } = await client.call("nothing");
    expect([error?.code, readEnvelope(error?.data).success]).toEqual([-32602, false]);
    expect(readEnvelope(error?.data).data).toMatchObject({
      error_code: expect.not.stringMatching("INVALID_FORMAT"),
    });
  });

  it("end the ledger server if an unrequested call writes to it", async () => {
    const exit = vi.spyOn(process, "exit").mockImplementation(() => {
      throw new Error("ended");
    });
    const told = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    client = await openZooClient(entryOf("correct-ledger"));
    await client.call("book", { account: "cash", cents: 1_000_000 });
    expect(exit.mock.calls).toEqual([[99]]);
    expect(told.mock.calls).toEqual([['book was called unasked: {"account":"cash","cents":1000000}\n']]);
    vi.restoreAllMocks();
  });
});
