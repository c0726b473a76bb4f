import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { type FileSystem, unlessMissing } from "@foundry-mcp/toolkit/files";
import { findCreator, nonceOfTemporary } from "../durable/temporary-files.ts";

/** The number of digits of the time in a ticket. The time is in microseconds. */
const timeDigits = 13;
/** The age in milliseconds above which a ticket is ignored. No caller waits for a lock this long. */
const maxAgeMs = 60_000;

/**
 * Returns a new ticket. A ticket is the nonce of the file with which a process waits for a lock. Tickets sort by the
 * time at which the processes began to wait.
 */
export function newTicket(): string {
  const time = Math.round((performance.timeOrigin + performance.now()) * 1_000);
  return `${time.toString(16).padStart(timeDigits, "0")}${randomBytes(2).toString("hex").slice(1)}`;
}

/**
 * Returns the tickets of the live processes that began to wait for a lock before a ticket was created. The line makes
 * waiting fair; only the lock file ensures that a lock has one holder. So a wrong clock can only change the order.
 */
export async function findTicketsBefore(
  fs: FileSystem,
  lockPath: string,
  ticket: string,
): Promise<readonly string[]> {
  const names = (await unlessMissing(fs.readdir(dirname(lockPath)))) ?? [];
  const before: string[] = [];
  for (const name of names) {
    const other = nonceOfTemporary(lockPath, name);
    if (other === undefined || other >= ticket || timeOf(ticket) - timeOf(other) > maxAgeMs) continue;
    if ((await findCreator(name)) !== "gone") before.push(other);
  }
  return before;
}

/** True if any process waits for a lock. */
export async function hasWaiters(fs: FileSystem, lockPath: string): Promise<boolean> {
  return (await findTicketsBefore(fs, lockPath, newTicket())).length > 0;
}

/** Returns the time in a ticket, in milliseconds. */
function timeOf(ticket: string): number {
  return Number.parseInt(ticket.slice(0, timeDigits), 16) / 1_000;
}
