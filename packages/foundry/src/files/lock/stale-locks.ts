import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import { nodeFileSystem } from "../durable/node-file-system.ts";
import { removeStaleTemporaries } from "../durable/temporary-files.ts";
import { LockCandidate, type LockState, readLock } from "./lock-file.ts";
import { createOwner } from "./lock-owner.ts";

/**
 * Removes a lock file whose owner is gone; true where it is out of the way. Only who has the name
 * `<lock>.break.<nonce>` may remove what that nonce left, and looks again once it has the name: a slow
 * process that has seen the same dead owner can take away nothing that came after it.
 */
export async function breakLock(path: string, seen: LockState, ticket: LockCandidate): Promise<boolean> {
  const right = `${lockPathOf(path)}${breakMark}${seen.nonce}`;
  const { isAcquired, current: other } = await ticket.tryAcquire(right);
  if (!isAcquired) {
    // It died while it broke the lock: its own leftover is broken in the same way.
    if (other !== undefined && (await ticket.isOwnerDead(right, other)))
      await breakLock(right, other, ticket);
    return false;
  }
  try {
    if ((await readLock(path))?.nonce === seen.nonce) await unlessMissing(unlink(path));
    return true;
  } finally {
    await unlessMissing(unlink(right));
  }
}

const breakMark = ".break.";

/** True for the path of a right to break. */
export function isBreakMarker(path: string): boolean {
  return path.includes(breakMark);
}

/** Rights to break rights stand beside them, so that names do not grow. */
function lockPathOf(path: string): string {
  const end = path.lastIndexOf(breakMark);
  return end === -1 ? path : path.slice(0, end);
}

/** Removes what dead processes left in a folder of locks: temporary files, locks and half-done breaks. */
export async function removeStaleLocks(folder: string): Promise<void> {
  await removeStaleTemporaries(nodeFileSystem, folder);
  const names = (await unlessMissing(readdir(folder))) ?? [];
  const locks = names.filter((name) => name.endsWith(".lock") || isBreakMarker(name));
  if (locks.length === 0) return;
  const ticket = await LockCandidate.create(join(folder, "tidy.lock"), await createOwner("tidy up"));
  try {
    for (const name of locks) await tidyLock(join(folder, name), ticket);
  } finally {
    await ticket.remove();
  }
}

async function tidyLock(path: string, ticket: LockCandidate): Promise<void> {
  // The first try may only clear away one who died while it did the same.
  for (let tries = 0; tries < 3; tries++) {
    const seen = await readLock(path);
    // What names no owner may be anybody's file.
    if (seen?.owner === undefined || !(await ticket.isOwnerDead(path, seen))) return;
    if (await breakLock(path, seen, ticket)) return;
  }
}
