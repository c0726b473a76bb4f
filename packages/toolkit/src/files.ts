// Access to files of an untrusted folder, such as a cloned repository, with checks against links that leave the
// folder.
export { asyncCalls } from "./files/async-calls.ts";
export type { FileCalls } from "./files/file-calls.ts";
// Conversion of file system errors.
export { toFileError } from "./files/file-error.ts";
export type {
  AppendOptions,
  FileContent,
  FileIdentity,
  FileStat,
  FileSystem,
  FolderOptions,
  NewFile,
  ResolvedPath,
} from "./files/file-system.ts";
export { isSameFile, isSameText } from "./files/file-system.ts";
// Read-only access to files, below a folder or anywhere.
export type { FileTree, FileTreeOptions, LocatedFile, TreeEntry } from "./files/file-tree.ts";
export { createFileTree } from "./files/file-tree.ts";
// Functions that look up paths without opening files.
export { isBelow } from "./files/is-below.ts";
export { isRemoteFolder } from "./files/is-remote-folder.ts";
export { findKind, resolveLinks } from "./files/look-up-path.ts";
// Access to files that a person names on the command line.
export type { NamedFileOptions } from "./files/named-file.ts";
export { readNamedFile } from "./files/named-file.ts";
// Access to folders that belong to a program.
export type { OwnFilesOptions } from "./files/own-files.ts";
export { createOwnFiles } from "./files/own-files.ts";
export { isAllowedFolder } from "./files/path-guard.ts";
export { syncCalls } from "./files/sync-calls.ts";
export { isMissing, systemErrorCode, unlessMissing } from "./files/system-error.ts";
export type { TemporaryOrigin } from "./files/temporary-name.ts";
export { parseTemporaryName, temporaryPrefix, toTemporaryName } from "./files/temporary-name.ts";
export type { WorkspaceFilesOptions } from "./files/workspace-files.ts";
export { createWorkspaceFiles, readRegularFile } from "./files/workspace-files.ts";
export { requireWritableFile, writeNamedFile } from "./files/write-named-file.ts";
