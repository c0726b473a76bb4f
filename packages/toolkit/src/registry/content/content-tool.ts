import { estimateTokens, type TokenCounter } from "@foundry-mcp/contract/budget";
import { z } from "zod";
import { type ContentArchive, type ContentEntry, contentUriTemplate } from "../../archive/content-archive.ts";
import { contentNotFound } from "../../archive/content-failures.ts";
import { action } from "../../define/action.ts";
import { defineResource, type Resource } from "../../define/resource.ts";
import { defineTool, type Tool } from "../../define/tool.ts";
import { ContentReader, findEntry } from "./content-reader.ts";
import { openContent } from "./open-content.ts";

const names = () =>
  z.object({
    archive_id: z.string().optional().describe("A key of meta.content_archive_hashes"),
    hash: z.string().optional().describe("The value of that key"),
    content_id: z.string().optional().describe("An entry of meta.dropped_content_ids"),
  });

const entryShape = () => ({
  archive_id: z.string(),
  hash: z.string(),
  size: z.int().describe("Bytes of the whole"),
  tool: z.string().describe("Whose answer it was"),
  action: z.string().optional(),
  request_id: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  content_ids: z.array(z.string()).describe("What the answer left out"),
});

/** Longer than any text: the budget alone decides the length of a page, and without one it is the whole. */
const maxPerPage = 1_000_000_000;

/** Creates the built-in tool that returns what responses left out. */
export function createContentTool(archive: ContentArchive, countTokens: TokenCounter = estimateTokens): Tool {
  const reader = new ContentReader(archive, countTokens);
  return defineTool({
    name: "content",
    version: "1.0.0",
    description: "Fetch what earlier answers left out to fit their token budget",
    actions: {
      get: action({
        description: "Get a reduced answer, or its part content_id, page by page",
        input: names,
        output: () =>
          z.object({
            archive_id: z.string(),
            hash: z.string().describe("Of the whole JSON text"),
            content_type: z.enum(["application/json", "text/plain"]),
            size: z.int().describe("Bytes of the whole JSON text"),
            items: z
              .array(z.unknown())
              .optional()
              .describe("Of a part that is a list: the items of this page"),
            text: z.string().optional().describe("Of everything else: the text of this page"),
            total_chars: z.int().optional().describe("Code points of the text on all pages"),
            offset: z.int().optional().describe("Code points on the pages before"),
          }),
        readOnly: true,
        // The limit counts items of a list and code points of a text.
        page: {
          default: maxPerPage,
          max: maxPerPage,
          rows: "items",
          of: "Items of a list, or characters of a text,",
        },
        cli: { command: "content get" },
        run: (input, context) => reader.get(input, context),
      }),
      list: action({
        description: "List stored answers",
        output: () => z.object({ entries: z.array(z.object(entryShape())) }),
        readOnly: true,
        page: { default: 50, max: 500, rows: "entries" },
        cli: { command: "content list" },
        run: async (_input, { principal, page }) => {
          const entries = await archive.list(principal);
          return { entries: page.siblings(entries, { id: ({ archiveId }) => archiveId }).map(toWire) };
        },
      }),
      stat: action({
        description: "Describe a stored answer",
        input: names,
        output: () => z.object({ ...entryShape(), verified: z.literal(true) }),
        readOnly: true,
        cli: { command: "content stat" },
        run: async (input, { principal }) => {
          const entry = await findEntry(archive, principal, input);
          // Throws for a content id that is not in the content.
          openContent(await archive.read(entry), input.content_id);
          return { ...toWire(entry), verified: true };
        },
      }),
    },
  });
}

function toWire({ archiveId, hash, size, tool, action: of, requestId, ...entry }: ContentEntry) {
  return {
    archive_id: archiveId,
    hash,
    size,
    tool,
    ...(of === undefined ? {} : { action: of }),
    request_id: requestId,
    created_at: entry.createdAt,
    expires_at: entry.expiresAt,
    content_ids: entry.contentIds,
  };
}

/** Creates the resource of stored content, for clients that follow the link in a response. */
export function createContentResource(archive: ContentArchive): Resource {
  return defineResource({
    name: "content",
    description: "The whole of an answer that was reduced to its token budget",
    mimeType: "application/json",
    uriTemplate: contentUriTemplate,
    read: async ({ archive_id }, { principal }) => {
      const entry = await archive.find(principal, { archiveId: String(archive_id) });
      if (entry === undefined) throw contentNotFound("archive_id", String(archive_id));
      return Buffer.from(await archive.read(entry)).toString("utf8");
    },
  });
}
