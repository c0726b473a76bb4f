import { relative, resolve, sep } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import {
  createFileTree,
  type FileTree,
  isBelow,
  type LocatedFile,
  systemErrorCode,
} from "@foundry-mcp/toolkit/files";
import type { RawDocument } from "./read-document.ts";
import { maxDocumentBytes, tooLarge, UnusableDocument, type UnusableReason } from "./unusable-document.ts";

/** Defines the files that may be read. */
export interface FileAccess {
  /** The folder against which relative paths are resolved. Undefined if no file may be read. */
  readonly folder: string | undefined;
  /**
   * True if only files within the root may be read. The check applies to the path after links are resolved. Private
   * folders are excluded.
   */
  readonly isConfined: boolean;
  /** The folder to which reads are confined. @default folder */
  readonly root?: string | undefined;
  /**
   * Symbolic links in the path of the root must not lead out of this folder, which is a resolved path.
   * @default none: links may lead anywhere
   */
  readonly boundary?: string | undefined;
  /** Folders that contain data of all callers, such as the archive and research runs. */
  readonly privateFolders?: readonly string[] | undefined;
}

/** The access and limits of a read. */
export interface ReadFileOptions extends FileAccess {
  /**
   * The maximum size of a file.
   * @default 64 MiB
   */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a file for a caller. Throws an UnusableDocument if that fails. */
export async function readLocalFile(path: string, options: ReadFileOptions): Promise<RawDocument> {
  const { maxBytes = maxDocumentBytes, signal } = options;
  signal?.throwIfAborted();
  // The type of the file is checked first, because opening a device can have side effects.
  const { path: real, stat } = await locateFile(path, options);
  if (stat.isDirectory()) throw new UnusableDocument("is_folder", "It is a folder");
  if (!stat.isFile())
    throw new UnusableDocument("not_file", "It is not a regular file, but a pipe, a socket or a device");
  const content = await withDocumentErrors(openTree(options).readFile(real, maxBytes), maxBytes);
  signal?.throwIfAborted();
  // A buffer of exactly this size can later be transferred to a worker without copying.
  const bytes = Buffer.allocUnsafeSlow(content.length);
  content.copy(bytes);
  return { bytes, name: path };
}

/** Resolves a path and its links. Throws an UnusableDocument if the file may not be read. */
export async function locateFile(path: string, access: FileAccess): Promise<LocatedFile> {
  const { folder, isConfined, root: rootFolder = folder, privateFolders = [] } = access;
  if (folder === undefined || rootFolder === undefined) throw noFolder();
  const located = await withDocumentErrors(openTree(access).locate(resolve(folder, path)));
  if (!isConfined) return located;
  const root = await findRealPath(rootFolder);
  for (const privateFolder of privateFolders)
    if (isBelow(located.path, await findRealPath(privateFolder))) throw isPrivate();
  if (relative(root, located.path).split(sep).includes(stateFolder)) throw isPrivate();
  return located;
}

/** Opens the files that this access allows to read. `locateFile` checks private folders separately. */
export function openTree({ folder, isConfined, root = folder, boundary }: FileAccess): FileTree {
  if (root === undefined) throw noFolder();
  return createFileTree(isConfined ? { root, boundary } : {});
}

/** Returns a folder with its links resolved. If the folder does not exist, the path is returned unchanged. */
async function findRealPath(folder: string): Promise<string> {
  const located = await createFileTree({ root: folder })
    .locate(folder)
    .catch(() => undefined);
  return located?.path ?? resolve(folder);
}

async function withDocumentErrors<T>(work: Promise<T>, maxBytes = maxDocumentBytes): Promise<T> {
  try {
    return await work;
  } catch (err) {
    throw isContractError(err) && err.code === "CONTENT_TOO_LARGE"
      ? tooLarge(maxBytes)
      : fromFileSystemError(err);
  }
}

/** The folder in which workspaces store their state. */
const stateFolder = ".foundry";

function outside(): UnusableDocument {
  return new UnusableDocument("forbidden", "It is outside the folder whose files may be read");
}

function noFolder(): UnusableDocument {
  return new UnusableDocument(
    "forbidden",
    "No files are read here: the workspace is a home folder, or the root of the file system",
  );
}

function isPrivate(): UnusableDocument {
  return new UnusableDocument(
    "forbidden",
    "It is in the folder that stores the answers and research runs of all callers",
  );
}

const failures: Readonly<Record<string, readonly [reason: UnusableReason, message: string]>> = {
  ENOENT: ["not_found", "There is no such file"],
  ENOTDIR: ["not_found", "There is no such file"],
  ENAMETOOLONG: ["not_found", "There is no such file: its name is too long"],
  // Node reports this code if the name contains a NUL.
  ERR_INVALID_ARG_VALUE: ["not_found", "There is no such file: its name contains a NUL character"],
  ELOOP: ["not_found", "There is no such file: its links form a cycle"],
  EISDIR: ["is_folder", "It is a folder"],
  EACCES: ["forbidden", "The permission to read it is missing"],
  EPERM: ["forbidden", "The permission to read it is missing"],
  ENXIO: ["not_file", "It is not a regular file, but a pipe, a socket or a device"],
};

/** Converts a file system error to an UnusableDocument. Returns any other error unchanged. */
export function fromFileSystemError(err: unknown): unknown {
  if (isContractError(err) && err.code === "INVALID_PATH") return outside();
  const code = systemErrorCode(err);
  if (err instanceof UnusableDocument || isContractError(err) || code === "") return err;
  const [reason, message] = (Object.hasOwn(failures, code) ? failures[code] : undefined) ?? [
    "unreachable",
    `It cannot be read (${code})`,
  ];
  return new UnusableDocument(reason, message, err);
}
