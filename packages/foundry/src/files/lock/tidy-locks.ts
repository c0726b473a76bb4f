import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import { nodeFileSystem } from "../durable/node-file-system.ts";
import { tidyFolder } from "../durable/tidy.ts";
import { breakLock, isRightToBreak } from "./stale-locks.ts";
import { sightLock, Ticket } from "./lock-file.ts";
import { createOwner } from "./lock-owner.ts";

/** Removes what dead processes left in a folder of locks: temporary files, locks and half-done breaks. */
export async function tidyLocks(folder: string): Promise<void> {
  await tidyFolder(nodeFileSystem, folder);
  const names = (await unlessMissing(readdir(folder))) ?? [];
  const locks = names.filter((name) => name.endsWith(".lock") || isRightToBreak(name));
  if (locks.length === 0) return;
  const ticket = await Ticket.create(join(folder, "tidy.lock"), await createOwner("tidy up"));
  try {
    for (const name of locks) await tidyLock(join(folder, name), ticket);
  } finally {
    await ticket.remove();
  }
}

async function tidyLock(path: string, ticket: Ticket): Promise<void> {
  // The first try may only clear away one who died while it did the same.
  for (let tries = 0; tries < 3; tries++) {
    const seen = await sightLock(path);
    // What names no owner may be anybody's file.
    if (seen?.owner === undefined || !(await ticket.isGone(path, seen))) return;
    if (await breakLock(path, seen, ticket)) return;
  }
}
