import { readFile } from "node:fs/promises";
import { parseJsonText } from "@foundry-mcp/contract";
import { unlessMissing } from "../files/system-error.ts";
import { digestOf, isArchiveId } from "./content-archive.ts";
import type { StoredEntry } from "./create-archive.ts";

/** The version of the file format; other versions are not read. */
const entryVersion = 1;

/** The text of an entry's file. */
export function toEntryText(entry: StoredEntry): string {
  return JSON.stringify({ version: entryVersion, ...entry });
}

/** Reads the file of an entry; undefined where there is no file, null where it is damaged. */
export async function readEntry(path: string): Promise<StoredEntry | null | undefined> {
  const text = await unlessMissing(readFile(path, "utf8"));
  return text === undefined ? undefined : parseEntry(text);
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
