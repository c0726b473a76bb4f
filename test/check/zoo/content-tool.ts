import type { GoodTool, Outcome } from "./good-tool.ts";
import { handbook } from "./handbook.ts";
import { pagingParameters, toLimit } from "./paging.ts";
import type { Json } from "./rpc.ts";

/** The tool with the content that answers leave out. The content is constant, so it is available before any call. */
export const contentTool: GoodTool = {
  name: "content",
  description:
    "What answers left out to fit max_tokens. Actions: list (what is kept), get (by archive_id, hash or content_id).",
  actions: {
    list: {
      parameters: pagingParameters,
      run: ({ limit, cursor }) => ({
        list: {
          rows: [
            { id: handbook.archiveId, archive_id: handbook.archiveId, hash: handbook.hash, tool: "handbook" },
          ],
          under: "entries",
          limit: toLimit(limit),
          cursor,
        },
      }),
    },
    get: {
      parameters: {
        archive_id: { type: "string", description: "A key of meta.content_archive_hashes" },
        hash: { type: "string", description: "Its value there" },
        content_id: { type: "string", description: "One of meta.dropped_content_ids" },
      },
      run: getContent,
    },
  },
};

function getContent({ archive_id, hash, content_id }: Json): Outcome {
  if (archive_id === undefined && hash === undefined && content_id === undefined) {
    const field = "archive_id";
    return {
      refusal: {
        kind: "missing",
        code: "MISSING_REQUIRED",
        type: "validation",
        message: "Validation failed: archive_id, hash or content_id is required",
        remediation: "Provide archive_id, hash or content_id.",
        details: { field, constraint: "required", expected: "one of archive_id, hash and content_id" },
      },
    };
  }
  const section = handbook.sections.find(({ id }) => id === content_id);
  const isKept =
    (archive_id === undefined || archive_id === handbook.archiveId) &&
    (hash === undefined || hash === handbook.hash) &&
    (content_id === undefined || section !== undefined);
  if (!isKept) return { refusal: refuseContent(String(content_id ?? archive_id ?? hash)) };
  const text = section === undefined ? handbook.text : JSON.stringify(section);
  return {
    data: {
      archive_id: handbook.archiveId,
      hash: handbook.hash,
      content_type: "application/json",
      size: Buffer.byteLength(handbook.text),
      text,
      total_chars: [...text].length,
      offset: 0,
    },
  };
}

/** Returns the answer of an archive that does not contain the requested content. */
export function refuseContent(id: string) {
  return {
    kind: "content-not-found" as const,
    code: "CONTENT_NOT_FOUND",
    type: "not_found",
    message: `Content not found: ${id.slice(0, 100)}`,
    remediation:
      'See what is kept with content(action="list"), or repeat the call that produced the content.',
    details: { resource_type: "content", resource_id: id.slice(0, 100) },
  };
}
