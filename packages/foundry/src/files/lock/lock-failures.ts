import { basename } from "node:path";
import { type ContractError, cancelled, unavailable } from "@foundry-mcp/contract";
import type { HeldLock } from "./file-lock.ts";
import type { LockState } from "./lock-file.ts";
import { type LockOwner, leaseMs } from "./lock-owner.ts";

/** Creates the error for a wait that timed out. The error names the process that holds the lock. */
export function lockBusy(path: string, current: LockState | undefined, waitedMs: number): ContractError {
  const { holder, remediation, retryAfterSeconds } = toAdvice(current);
  return unavailable(`Cannot lock ${nameOf(path)} within ${waitedMs} ms: ${holder}`, {
    errorCode: "RESOURCE_BUSY",
    remediation,
    details: {
      lock: basename(path),
      ...(current?.owner === undefined ? {} : { owner: toDetails(current.owner) }),
    },
    retryAfterSeconds,
  });
}

function toAdvice(current: LockState | undefined) {
  if (current === undefined) {
    const remediation = "Try again in a moment, with fewer calls at once.";
    return { holder: "other processes took it each time", remediation, retryAfterSeconds: 1 };
  }
  if (current.owner === undefined) {
    const retryAfterSeconds = leaseMs / 1_000;
    const remediation = `Try again in ${retryAfterSeconds} seconds: a lock file without an owner is removed then.`;
    return { holder: "the lock file names no owner", remediation, retryAfterSeconds };
  }
  const { pid, host, since, purpose } = current.owner;
  const why = purpose === undefined ? "" : ` (${purpose})`;
  return {
    holder: `process ${pid} on ${JSON.stringify(host)} has had it since ${since}${why}`,
    remediation: `Try again in a moment; if process ${pid} hangs, end it, which releases the lock.`,
    retryAfterSeconds: 1,
  };
}

/** Creates the error for a wait that the caller cancelled. */
export function lockCancelled(path: string, cause: unknown): ContractError {
  return cancelled(`The call was cancelled while it waited for the lock ${nameOf(path)}`, { cause });
}

/** Fails if another process has taken over the lock, because the pending write may be based on stale data. */
export async function requireHeld(lock: HeldLock): Promise<void> {
  if (await lock.isHeld()) return;
  throw unavailable(
    `Cannot write: the lock ${nameOf(lock.path)} was taken over from process ${lock.owner.pid}, which held it since ${lock.owner.since}`,
    {
      errorCode: "RESOURCE_BUSY",
      remediation: "Nothing was changed. Call again: the change is then made to the current state.",
      details: { lock: basename(lock.path) },
    },
  );
}

function nameOf(path: string): string {
  return JSON.stringify(basename(path));
}

function toDetails({ pid, host, since, purpose }: LockOwner): object {
  return { pid, host, since, ...(purpose === undefined ? {} : { purpose }) };
}
