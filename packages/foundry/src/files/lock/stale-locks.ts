import { unlink } from "node:fs/promises";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import { type Sighting, sightLock, type Ticket } from "./lock-file.ts";

/**
 * Removes a lock file whose owner is gone; true where it is out of the way. Only who has the name
 * `<lock>.break.<nonce>` may remove what that nonce left, and looks again once it has the name: a slow
 * process that has seen the same dead owner can take away nothing that came after it.
 */
export async function breakLock(path: string, seen: Sighting, ticket: Ticket): Promise<boolean> {
  const right = `${lockPathOf(path)}${breakMark}${seen.nonce}`;
  const { isMine, seen: other } = await ticket.take(right);
  if (!isMine) {
    // It died while it broke the lock: its own leftover is broken in the same way.
    if (other !== undefined && (await ticket.isGone(right, other))) await breakLock(right, other, ticket);
    return false;
  }
  try {
    if ((await sightLock(path))?.nonce === seen.nonce) await unlessMissing(unlink(path));
    return true;
  } finally {
    await unlessMissing(unlink(right));
  }
}

const breakMark = ".break.";

/** True for the path of a right to break. */
export function isRightToBreak(path: string): boolean {
  return path.includes(breakMark);
}

/** Rights to break rights stand beside them, so that names do not grow. */
function lockPathOf(path: string): string {
  const end = path.lastIndexOf(breakMark);
  return end === -1 ? path : path.slice(0, end);
}
