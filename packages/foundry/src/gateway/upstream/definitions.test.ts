import type { RawConnection, RawReply } from "@foundry-mcp/toolkit/client";
import { expect, it } from "vitest";
import { createRedactor } from "../../servers/redact.ts";
import { readLists } from "./definitions.ts";

/** Reads the lists of a server that answers each method with this result. */
function read(results: Readonly<Record<string, object>>) {
  const connection = {
    capabilities: { tools: {}, prompts: {} },
    request: async (method: string): Promise<RawReply> => ({ kind: "result", result: results[method] ?? {} }),
  } as unknown as RawConnection;
  return readLists(connection, { timeoutMs: 1_000, redact: createRedactor(["s3cr3t"]) });
}

it("masks secrets in schemas, but not in names and in values that a schema accepts", async () => {
  const text = "use s3cr3t";
  const masked = "use ***";
  const toSchema = (shown: string) => ({
    type: "object",
    title: shown,
    required: ["s3cr3t"],
    properties: {
      s3cr3t: { enum: ["s3cr3t"], description: shown, default: [{ a: shown }], examples: [shown] },
      // A property may have the name of a keyword.
      enum: { const: "s3cr3t", description: shown },
      properties: { anyOf: [{ pattern: "s3cr3t", title: shown }, true], maxLength: 5 },
      default: { $ref: "#/$defs/s3cr3t" },
    },
    $defs: { s3cr3t: { items: { description: shown } } },
    "x-note": shown,
  });
  const toTool = (shown: string) => ({
    description: shown,
    title: shown,
    inputSchema: toSchema(shown),
    outputSchema: toSchema(shown),
    annotations: { title: shown, readOnlyHint: true },
  });
  expect(
    await read({
      "tools/list": { tools: [{ name: "s3cr3t", ...toTool(text), _meta: { note: [text] } }] },
      "prompts/list": {
        prompts: [
          {
            name: "ask",
            description: text,
            arguments: [{ name: "about", description: text, required: true }],
          },
        ],
      },
    }),
  ).toEqual({
    tools: [{ name: "s3cr3t", ...toTool(masked), meta: { note: [masked] } }],
    prompts: [
      {
        name: "ask",
        description: masked,
        arguments: [{ name: "about", description: masked, required: true }],
      },
    ],
    resources: [],
  });
});

it("keeps a property whose name would set the prototype", async () => {
  const inputSchema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
  const lists = await read({ "tools/list": { tools: [{ name: "a", inputSchema }] } });
  expect(JSON.stringify("tools" in lists && lists.tools[0]?.inputSchema)).toBe(JSON.stringify(inputSchema));
});
