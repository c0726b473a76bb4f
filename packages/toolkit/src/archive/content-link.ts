import type { UnknownRecord } from "@foundry-mcp/contract";

/** Where clients that read resources find what an answer left out. */
export const contentUriTemplate = "foundry-content://{archive_id}";

/** A link beside an answer, for clients that follow links. */
export function toContentLink(archiveId: string, size: number, tool: string): UnknownRecord {
  return {
    type: "resource_link",
    uri: contentUriTemplate.replace("{archive_id}", archiveId),
    name: archiveId,
    description: `The whole answer of ${tool}`,
    mimeType: "application/json",
    size,
  };
}
