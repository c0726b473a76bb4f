import { join } from "node:path";
import { type FileSystem, unlessMissing } from "@foundry-mcp/toolkit/files";
import { removeStaleTemporaries } from "../durable/temporary-files.ts";
import { LockCandidate, type LockState, readLock } from "./lock-file.ts";
import { createOwner } from "./lock-owner.ts";

/**
 * Removes the lock file of a dead owner. Returns true once the file is removed. Only the process that acquires the
 * marker file `<lock>.break.<nonce>` may remove the lock with that nonce, and that process reads the lock again
 * first. Therefore, a slow process that saw the same dead owner cannot remove a lock that was acquired since.
 */
export async function breakLock(
  path: string,
  current: LockState,
  candidate: LockCandidate,
): Promise<boolean> {
  const marker = `${lockPathOf(path)}${markerInfix}${current.nonce}`;
  const { isAcquired, current: breaker } = await candidate.tryAcquire(marker);
  if (!isAcquired) {
    // The process that was breaking the lock has also died, so its marker is broken in the same way.
    if (breaker !== undefined && (await candidate.isOwnerDead(marker, breaker)))
      await breakLock(marker, breaker, candidate);
    return false;
  }
  const { fs } = candidate;
  try {
    if ((await readLock(fs, path))?.nonce === current.nonce) await unlessMissing(fs.unlink(path));
    return true;
  } finally {
    await unlessMissing(fs.unlink(marker));
  }
}

const markerInfix = ".break.";

/** True for the path of a break marker. */
export function isBreakMarker(path: string): boolean {
  return path.includes(markerInfix);
}

/**
 * Returns the lock to which a marker belongs. Markers of markers are named after the lock, so that names do not grow.
 */
function lockPathOf(path: string): string {
  const end = path.lastIndexOf(markerInfix);
  return end === -1 ? path : path.slice(0, end);
}

/** Removes the temporary files, locks and break markers of dead processes from a folder of locks. */
export async function removeStaleLocks(fs: FileSystem, folder: string): Promise<void> {
  await removeStaleTemporaries(fs, folder);
  const names = (await unlessMissing(fs.readdir(folder))) ?? [];
  const locks = names.filter((name) => name.endsWith(".lock") || isBreakMarker(name));
  if (locks.length === 0) return;
  const candidate = await LockCandidate.create(fs, join(folder, "tidy.lock"), await createOwner("tidy up"));
  try {
    for (const name of locks) await removeIfStale(join(folder, name), candidate);
  } finally {
    await candidate.remove();
  }
}

async function removeIfStale(path: string, candidate: LockCandidate): Promise<void> {
  // The first attempts may only remove the markers of processes that died while they were breaking this lock.
  for (let tries = 0; tries < 3; tries++) {
    const current = await readLock(candidate.fs, path);
    // A file that names no owner may be another kind of file, so it is not removed.
    if (current?.owner === undefined || !(await candidate.isOwnerDead(path, current))) return;
    if (await breakLock(path, current, candidate)) return;
  }
}
