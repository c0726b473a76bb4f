import { defineTool, type Tool, withJsonSchema } from "@foundry-mcp/toolkit";
import { z } from "zod";

/** The bytes of every attachment. The tests check only that they arrive. */
export const attachedBytes = Buffer.from("attached");

/** Plain tools, each of which uses a different feature of a tool. */
export const plainTools: readonly Tool[] = [
  defineTool({
    name: "echo",
    version: "1.2.3",
    description: "Gives back a text",
    title: "Echo",
    aliases: ["say_again", "repeat"],
    input: z.object({ text: z.string().max(10_000), times: z.int().min(1).max(3).optional() }),
    output: z.object({ text: z.string(), times: z.int() }),
    readOnly: true,
    run: ({ text, times = 1 }) => ({ text, times }),
  }),
  defineTool({
    name: "nothing",
    version: "1.0.0",
    description: "Takes nothing and returns nothing",
    run: () => {},
  }),
  defineTool({
    name: "settled",
    version: "1.0.0",
    description: "Shows what a schema makes of what was sent",
    input: z.object({
      name: z
        .string()
        .trim()
        .transform((text) => text.toUpperCase()),
      size: z.enum(["small", "large"]).default("small"),
      tags: z.array(z.string()).default(() => ["none"]),
      since: z.iso.date().optional(),
      parent: z.string().nullable(),
      note: z.string().nullish(),
    }),
    output: z.looseObject({ name: z.string() }),
    readOnly: true,
    run: (input) => ({ ...input }),
  }),
  defineTool({
    name: "open",
    version: "1.0.0",
    description: "Takes parameters of any name",
    input: z.looseObject({ known: z.number().optional() }),
    readOnly: true,
    run: (input) => ({ keys: Object.keys(input).toSorted(), input }),
  }),
  defineTool({
    name: "bare_schema",
    version: "1.0.0",
    description: "Takes a schema of another library, which answers later",
    input: withJsonSchema<{ even: number }, { even: number }>(evenNumber(), {
      type: "object",
      properties: { even: { type: "number" } },
      required: ["even"],
    }),
    run: ({ even }) => ({ half: even / 2 }),
  }),
  defineTool({
    name: "warned",
    version: "1.0.0",
    description: "Answers with warnings",
    run: (_input, context) => {
      context.warn("Plain words");
      context.warn("STALE_CACHE", "The cache is 10 minutes old", { age_seconds: 600 });
      context.warn("OWN_CODE", "A code of the server's own");
      return { ok: true };
    },
  }),
  defineTool({
    name: "attached",
    version: "1.0.0",
    description: "Answers with an image, a sound, a link and resources",
    run: (_input, context) => {
      context.attach({ type: "image", data: attachedBytes, mimeType: "image/png" });
      context.attach({ type: "audio", data: attachedBytes.toString("base64"), mimeType: "audio/wav" });
      context.attach({ type: "resource_link", uri: "test://one", name: "one", size: 3 });
      context.attach({ type: "resource", uri: "test://two", mimeType: "text/plain", text: "zwei" });
      context.attach({ type: "resource", uri: "test://three", data: attachedBytes });
      return { attached: 5 };
    },
  }),
  defineTool({
    name: "unicode",
    version: "1.0.0",
    description: "Ünïcödé in, 語 out",
    input: z.object({ テキスト: z.string() }),
    run: ({ テキスト: text }) => ({
      text,
      points: [...text].length,
      clé: "é\u2028\u0000\u{1f469}\u200d\u{1f680}",
    }),
  }),
  defineTool({
    name: "half_character",
    version: "1.0.0",
    description: "Returns half a surrogate pair",
    run: () => ({ half: "a\ud800b" }),
  }),
];

/** Returns a Standard Schema that has no JSON Schema and validates asynchronously. */
function evenNumber() {
  return {
    "~standard": {
      version: 1,
      vendor: "matrix",
      validate: async (value: unknown) => {
        const { even } = value as { even?: unknown };
        return typeof even === "number" && even % 2 === 0
          ? { value: { even } }
          : { issues: [{ message: "an even number is wanted", path: ["even"] }] };
      },
    },
  } as const;
}
