import { renameSync, type Stats, statSync } from "node:fs";

/**
 * Renames a file over another one if that is the expected one. Other programs take no locks, so nothing may come between
 * the check and the rename: both are made at once, without a way through the thread pool.
 */
export async function renameOver(
  from: string,
  to: string,
  isExpected: (stat: Stats) => boolean,
): Promise<boolean> {
  const found = statSync(to, { throwIfNoEntry: false });
  if (found === undefined || !isExpected(found)) return false;
  renameSync(from, to);
  return true;
}
