// Where answers keep what does not fit their budget: in files, shared by several processes, or in memory.
export type { ArchiveLimits } from "./archive/archive-limits.ts";
export {
  archiveIdOf,
  type ContentArchive,
  type ContentEntry,
  type ContentKey,
  contentHashOf,
  type NewContent,
} from "./archive/content-archive.ts";
export { createFileArchive, type FileArchiveOptions } from "./archive/file-archive.ts";
export { createMemoryArchive } from "./archive/memory-archive.ts";
