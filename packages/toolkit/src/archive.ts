// Where answers keep what does not fit their budget: in files, shared by several processes, or in memory.

// For archives that keep it elsewhere: what all of them mean by a limit, by the form of a name, and by a failure.
export { digestOf, isArchiveId } from "./archive/archive-folder.ts";
export type { ArchiveLimits } from "./archive/archive-limits.ts";
export {
  requireRoom,
  type SettledLimits,
  settleLimits,
  toEntry,
  toExpiry,
} from "./archive/archive-limits.ts";
export {
  archiveIdOf,
  type ContentArchive,
  type ContentEntry,
  type ContentKey,
  contentHashOf,
  type NewContent,
} from "./archive/content-archive.ts";
export { contentDamaged, contentNotFound } from "./archive/content-failures.ts";
export { createFileArchive, type FileArchiveOptions } from "./archive/file-archive.ts";
export { createMemoryArchive } from "./archive/memory-archive.ts";
