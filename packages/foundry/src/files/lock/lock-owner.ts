import { randomBytes } from "node:crypto";
import {
  currentProcess,
  isPidInUse,
  type ProcessIdentity,
  readProcessState,
} from "../durable/process-identity.ts";

/** Who holds a lock, or wants it. */
export interface LockOwner extends ProcessIdentity {
  /** Names this one holding; never given twice. */
  readonly nonce: string;
  /** Since when it is wanted or held, ISO 8601. */
  readonly since: string;
  /** What it is held for, in words for whoever waits. */
  readonly purpose?: string | undefined;
}

/** How long a holder of whom nothing can be seen is believed alive without a renewal. */
export const leaseMs = 30_000;

/** How often a holder renews its lock. */
export const renewalMs = 5_000;

/** This process as the owner of a lock that it is about to take. */
export async function createOwner(purpose: string | undefined): Promise<LockOwner> {
  return {
    ...(await currentProcess()),
    nonce: randomBytes(8).toString("hex"),
    since: new Date().toISOString(),
    ...(purpose === undefined ? {} : { purpose }),
  };
}

/**
 * True where an owner is dead for certain: a live one is never robbed. Of a process on another machine, in
 * another container or before a restart nothing can be seen: it is gone when its renewals stay away.
 */
export async function isOwnerDead(owner: LockOwner, unrenewedMs: () => Promise<number>): Promise<boolean> {
  const isExpired = async () => (await unrenewedMs()) >= leaseMs;
  const me = await currentProcess();
  const isNear = owner.host === me.host && owner.bootId === me.bootId && owner.namespace === me.namespace;
  if (!isNear) return isExpired();
  if (!isPidInUse(owner.pid)) return true;
  const { isEnded, startTime } = await readProcessState(owner.pid);
  if (isEnded) return true;
  // Without a start time the number may be that of a later process.
  if (startTime === "" || owner.startTime === "") return isExpired();
  return startTime !== owner.startTime;
}

const formVersion = 1;

/** The text of a lock file. */
export function toLockText(owner: LockOwner): string {
  return JSON.stringify({ lock: formVersion, ...owner });
}

/** The owner that a lock file names; undefined for a text that is none. */
export function parseLockText(text: string): LockOwner | undefined {
  const { lock, pid, startTime, bootId, namespace, host, nonce, since, purpose } = parseObject(text);
  const isOwner =
    lock === formVersion &&
    Number.isSafeInteger(pid) &&
    (pid as number) > 0 &&
    [startTime, bootId, namespace, host, since].every(isText) &&
    isText(nonce) &&
    /^[0-9a-f]{16}$/.test(nonce) &&
    (purpose === undefined || isText(purpose));
  if (!isOwner) return undefined;
  const owner = { pid, startTime, bootId, namespace, host, nonce, since } as LockOwner;
  return purpose === undefined ? owner : { ...owner, purpose };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
