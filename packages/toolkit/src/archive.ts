// Archives keep for a while what responses leave out to fit their token budget.

// The archive itself, and the names of its content.
export {
  archiveIdOf,
  type ContentArchive,
  type ContentEntry,
  type ContentKey,
  contentHashOf,
  type NewContent,
} from "./archive/content-archive.ts";
// On a storage of your own.
export {
  type ArchiveLimits,
  type ArchiveOptions,
  type ArchiveStorage,
  createArchive,
  type ResolvedLimits,
  type StoredContent,
  type StoredEntry,
} from "./archive/create-archive.ts";
// In files, which several processes may share, or in memory.
export { createFileArchive, type FileArchiveOptions } from "./archive/file-archive.ts";
export { createMemoryArchive } from "./archive/memory-archive.ts";
