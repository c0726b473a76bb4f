import { renameSync, type Stats, statSync } from "node:fs";

/**
 * Renames a file over another file if that file is the expected one. Other programs take no locks, so the check and
 * the rename run synchronously instead of on the thread pool; this keeps the time between them as short as
 * possible.
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
