import type { ContentArchive } from "../../archive/content-archive.ts";
import { contentUriTemplate } from "../../archive/content-archive.ts";
import { contentNotFound } from "../../archive/content-failures.ts";
import { defineResource, type Resource } from "../../define/resource.ts";

/** What answers left out, as resources: for clients that follow the link beside an answer. */
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
