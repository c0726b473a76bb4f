import { estimateTokens, type TokenCounter } from "@foundry-mcp/contract/budget";
import { z } from "zod";
import { type ContentArchive, type ContentEntry, contentUriTemplate } from "../../archive/content-archive.ts";
import { contentNotFound } from "../../archive/content-failures.ts";
import { action, type CliHelp } from "../../define/action.ts";
import { defineResource, type Resource } from "../../define/resource.ts";
import { defineTool, type Tool } from "../../define/tool.ts";
import { viewOf } from "../../terminal/view.ts";
import { ContentReader, findEntry } from "./content-reader.ts";
import { contentListView, contentStatView, contentView } from "./content-views.ts";
import { openContent } from "./open-content.ts";

const names = () =>
  z.object({
    archive_id: z.string().optional().describe("A key of meta.content_archive_hashes"),
    hash: z.string().optional().describe("A value of meta.content_archive_hashes"),
    content_id: z.string().optional().describe("An entry of meta.dropped_content_ids"),
  });

const help: CliHelp = {
  parameters: {
    archive_id: "Id of a stored answer: a key of meta.content_archive_hashes, or an id from content list",
    hash: "Hash of a stored answer: a value of meta.content_archive_hashes",
    content_id: "Id of the part to show: an entry of meta.dropped_content_ids (default: the whole answer)",
  },
};

const entryShape = () => ({
  archive_id: z.string(),
  hash: z.string(),
  size: z.int().describe("Bytes of the stored answer"),
  tool: z.string().describe("Tool of the answer"),
  action: z.string().optional(),
  request_id: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  content_ids: z.array(z.string()).describe("Ids of omitted parts"),
});

/**
 * The page limit is greater than the length of any text, so that only the token budget limits a page. Without
 * a budget, one page returns the whole content.
 */
const maxPerPage = 1_000_000_000;

/** Creates the built-in tool that returns the content that responses left out. */
export function createContentTool(archive: ContentArchive, countTokens: TokenCounter = estimateTokens): Tool {
  const reader = new ContentReader(archive, countTokens);
  return defineTool({
    name: "content",
    version: "1.0.0",
    description: "Fetch content that earlier answers left out",
    actions: {
      get: action({
        examples: [{ title: "Read the content that an answer left out", args: { archive_id: "archive-1" } }],
        description: "Get a shortened answer, or its part content_id, page by page",
        input: names,
        output: () =>
          z.object({
            archive_id: z.string(),
            hash: z.string().describe("Hash of the whole JSON text"),
            content_type: z.enum(["application/json", "text/plain"]),
            size: z.int().describe("Bytes of the whole JSON text"),
            items: z.array(z.unknown()).optional().describe("Items of this page, for a list"),
            text: z.string().optional().describe("Text of this page, otherwise"),
            total_chars: z.int().optional().describe("Code points of the whole text"),
            offset: z.int().optional().describe("Code points on previous pages"),
          }),
        readOnly: true,
        // The `limit` counts items for a list and code points for a text.
        page: {
          default: maxPerPage,
          max: maxPerPage,
          rows: "items",
          of: "Items of a list, or characters of a text,",
        },
        cli: {
          command: "content get",
          show: viewOf(() => contentView),
          help: { ...help, summary: "Show a stored answer in full, or one part of it" },
        },
        run: (input, context) => reader.get(input, context),
      }),
      list: action({
        examples: [{ title: "List the last stored answers", args: { limit: 10 } }],
        description: "List stored answers",
        output: () => z.object({ entries: z.array(z.object(entryShape())) }),
        readOnly: true,
        page: { default: 50, max: 500, rows: "entries" },
        cli: {
          command: "content list",
          show: viewOf(() => contentListView),
          help: { summary: "List stored answers: the full text of each answer that was shortened" },
        },
        run: async (_input, { principal, page }) => {
          const entries = await archive.list(principal);
          return { entries: page.siblings(entries, { id: ({ archiveId }) => archiveId }).map(toWire) };
        },
      }),
      stat: action({
        examples: [{ title: "See how long a stored answer is", args: { archive_id: "archive-1" } }],
        description: "Describe a stored answer",
        input: names,
        output: () => z.object({ ...entryShape(), verified: z.literal(true) }),
        readOnly: true,
        cli: {
          command: "content stat",
          show: viewOf(() => contentStatView),
          help: { ...help, summary: "Show the size and the date of a stored answer" },
        },
        run: async (input, { principal }) => {
          const entry = await findEntry(archive, principal, input);
          // The result is not used: this call only throws if the content has no part with the content id.
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
    description: "Full text of an answer that was shortened to its token budget",
    mimeType: "application/json",
    uriTemplate: contentUriTemplate,
    read: async ({ archive_id }, { principal }) => {
      const entry = await archive.find(principal, { archiveId: String(archive_id) });
      if (entry === undefined) throw contentNotFound("archive_id", String(archive_id));
      return Buffer.from(await archive.read(entry)).toString("utf8");
    },
  });
}
