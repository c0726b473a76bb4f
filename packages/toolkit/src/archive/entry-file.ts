import { isContractError } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import { toFileError } from "../files/file-error.ts";
import type { FileSystem } from "../files/file-system.ts";
import { systemErrorCode, unlessMissing } from "../files/system-error.ts";
import { digestOf, isArchiveId } from "./content-archive.ts";
import type { StoredEntry } from "./create-archive.ts";

/** The version of the file format; other versions are not read. */
const entryVersion = 1;

/** Serializes an entry as the text of its file. */
export function toEntryText(entry: StoredEntry): string {
  return JSON.stringify({ version: entryVersion, ...entry });
}

/** The maximum size of an entry file, which lists at most a thousand content ids. */
const maxEntryBytes = 16 * 2 ** 20;

/** Reads the file of an entry; undefined if there is no file, null if it is damaged or not a regular file. */
export async function readEntry(files: FileSystem, path: string): Promise<StoredEntry | null | undefined> {
  const bytes = await readBounded(files, path, maxEntryBytes);
  return bytes ? parseEntry(Buffer.from(bytes).toString("utf8")) : bytes;
}

const unreadable = ["EACCES", "EPERM", "ELOOP"];

/**
 * Reads a file of the archive; undefined if the file does not exist, null if it is unreadable or not a file that an
 * archive could have written.
 */
export async function readBounded(
  files: FileSystem,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | null | undefined> {
  try {
    return (await unlessMissing(files.readFile(path, maxBytes)))?.bytes;
  } catch (err) {
    // ENOTDIR means that a folder in the path is a file.
    if (systemErrorCode(err) === "ENOTDIR") return undefined;
    if (isContractError(err) || unreadable.includes(systemErrorCode(err))) return null;
    throw toFileError(err, "read the archive", "archive");
  }
}

function parseEntry(text: string): StoredEntry | null {
  const file = parseObject(text);
  if (file === null) return null;
  const { version, archiveId, hash, size, tool, action, requestId, contentIds, createdAt } = file;
  const isEntry =
    version === entryVersion &&
    isText(archiveId) &&
    isArchiveId(archiveId) &&
    isText(hash) &&
    digestOf(hash) !== undefined &&
    Number.isSafeInteger(size) &&
    isText(tool) &&
    (action === undefined || isText(action)) &&
    isText(requestId) &&
    Array.isArray(contentIds) &&
    contentIds.every(isText) &&
    isText(createdAt) &&
    !Number.isNaN(Date.parse(createdAt));
  if (!isEntry) return null;
  return {
    archiveId,
    hash,
    size: size as number,
    tool,
    ...(action === undefined ? {} : { action: action as string }),
    requestId,
    contentIds,
    createdAt,
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = parseJsonText(text);
    return typeof value === "object" ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
