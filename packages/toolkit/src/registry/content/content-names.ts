import { validationError } from "@foundry-mcp/contract";
import type { ContentArchive, ContentEntry, ContentKey } from "../../archive/content-archive.ts";
import { contentNotFound } from "../../archive/content-failures.ts";

/** How a caller names content; beside one of the others, a content id names a part of it. */
export interface ContentNames {
  readonly archive_id?: string | undefined;
  readonly hash?: string | undefined;
  readonly content_id?: string | undefined;
}

/** The entry that a caller names. */
export async function findEntry(
  archive: ContentArchive,
  principal: string,
  names: ContentNames,
): Promise<ContentEntry> {
  const [field, value, key] = toKey(names);
  const entry = await archive.find(principal, key);
  if (entry === undefined) throw contentNotFound(field, value);
  return entry;
}

function toKey({ archive_id, hash, content_id }: ContentNames): [field: string, value: string, ContentKey] {
  if (archive_id !== undefined && hash !== undefined) {
    throw validationError(
      { field: "hash", constraint: "exclusive", message: "hash must not be given beside archive_id" },
      { remediation: "Give either archive_id or hash: each names the content by itself." },
    );
  }
  if (archive_id !== undefined) return ["archive_id", archive_id, { archiveId: archive_id }];
  if (hash !== undefined) return ["hash", hash, { hash }];
  if (content_id !== undefined) return ["content_id", content_id, { contentId: content_id }];
  throw validationError(
    { field: "archive_id", constraint: "required", message: "archive_id, hash or content_id is required" },
    { remediation: 'Give archive_id, hash or content_id; content(action="list") names what is kept.' },
  );
}
