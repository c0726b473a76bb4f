// Archives temporarily store the content that responses leave out to fit their token budget.

// The interface of the archive, and the identifiers of its content.
export {
  archiveIdOf,
  type ContentArchive,
  type ContentEntry,
  type ContentKey,
  contentHashOf,
  type NewContent,
} from "./archive/content-archive.ts";
// Builds an archive on storage that you provide.
export {
  type ArchiveLimits,
  type ArchiveOptions,
  type ArchiveStorage,
  createArchive,
  type ResolvedLimits,
  type StoredContent,
  type StoredEntry,
} from "./archive/create-archive.ts";
// Archives in files, which several processes may share, and archives in memory.
export { createFileArchive, type FileArchiveOptions } from "./archive/file-archive.ts";
export { createMemoryArchive } from "./archive/memory-archive.ts";
