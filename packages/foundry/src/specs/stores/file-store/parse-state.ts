import { isRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { Lease } from "../../model/lease.ts";
import { type SpecFolder, specFolders } from "../../model/spec-document.ts";
import { isResponseName } from "../stored-response.ts";
import type { Shelf } from "./spec-locations.ts";
import type { PendingResponses, RevisionRecord, SpecState } from "./spec-state.ts";

/**
 * Parses a state file; undefined if the file is malformed. The file may come from any source, so members that
 * do not have the form that this program writes are left out.
 */
export function parseState(bytes: Uint8Array): SpecState | undefined {
  let value: unknown;
  try {
    value = parseJsonText(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
  const revision = toRevision(value);
  if (!isRecord(value) || revision === undefined) return undefined;
  const { before, marks, fence, pending, moving } = value;
  return withoutUndefined({
    ...revision,
    before: toRevision(before),
    marks: toMarks(marks),
    leases: revision.leases ?? [],
    fence: isCount(fence) ? fence : undefined,
    pending: toPending(pending),
    moving: isFolder(moving) ? moving : undefined,
  });
}

function toRevision(value: unknown): RevisionRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { counter, hash, folder, ino, mtimeMs, overwritten, leases } = value;
  if (!isCount(counter) || !isRevision(`${counter}-${String(hash)}`)) return undefined;
  return withoutUndefined({
    counter,
    hash: String(hash),
    folder: isShelf(folder) ? folder : undefined,
    ino: typeof ino === "number" ? ino : undefined,
    mtimeMs: typeof mtimeMs === "number" ? mtimeMs : undefined,
    overwritten: isRevision(overwritten) ? overwritten : undefined,
    leases: Array.isArray(leases) ? leases.filter(isLease) : undefined,
  });
}

function toMarks(value: unknown): Readonly<Record<string, number>> {
  const marks = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(marks.filter((mark): mark is [string, number] => isCount(mark[1])));
}

function isLease(value: unknown): value is Lease {
  if (!isRecord(value)) return false;
  const { task_id, token, holder, since, until } = value;
  return [task_id, token, holder, since, until].every((text) => typeof text === "string");
}

function toPending(value: unknown): PendingResponses | undefined {
  if (!isRecord(value)) return undefined;
  // Older versions stored a single name.
  const { name, names = [name], by } = value;
  const isKnown = by === "text" || by === "state" || isShelf(by);
  return Array.isArray(names) && names.every(isResponseName) && isKnown ? { names, by } : undefined;
}

function isShelf(value: unknown): value is Shelf {
  return value === "trash" || isFolder(value);
}

function isFolder(value: unknown): value is SpecFolder {
  return specFolders.some((folder) => folder === value);
}

/**
 * True for a text in the form of a revision. Responses print the revision in a command, so no other text is
 * accepted.
 */
function isRevision(value: unknown): value is string {
  return typeof value === "string" && /^\d{1,16}-[0-9a-f]{8}$/.test(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}
