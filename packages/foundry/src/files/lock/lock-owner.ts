import { randomBytes } from "node:crypto";
import { parseJsonText } from "@foundry-mcp/contract/input";
import {
  currentProcess,
  isPidInUse,
  type ProcessIdentity,
  readProcessState,
} from "../durable/process-identity.ts";

/** The process that holds a lock or waits for it. */
export interface LockOwner extends ProcessIdentity {
  /** A unique id of this acquisition. */
  readonly nonce: string;
  /** The time at which the process began to wait, in ISO 8601. */
  readonly since: string;
  /** The reason for holding the lock, for error messages. */
  readonly purpose?: string | undefined;
}

/** The time for which an owner whose process cannot be observed is treated as alive without a renewal. */
export const leaseMs = 30_000;

/** The interval at which an owner renews its lock. */
export const renewalMs = 5_000;

/** Creates the owner record of this process for a lock that it is about to acquire. */
export async function createOwner(purpose: string | undefined): Promise<LockOwner> {
  return {
    ...(await currentProcess()),
    nonce: randomBytes(8).toString("hex"),
    since: new Date().toISOString(),
    ...(purpose === undefined ? {} : { purpose }),
  };
}

/**
 * Returns true if an owner is certainly dead. A process cannot be observed if it runs on another machine or in
 * another container, or if it ran before a reboot. Such a process is treated as dead once its lease expires without a
 * renewal.
 */
export async function isOwnerDead(owner: LockOwner, unrenewedMs: () => Promise<number>): Promise<boolean> {
  const isExpired = async () => (await unrenewedMs()) >= leaseMs;
  const me = await currentProcess();
  const isObservable =
    owner.host === me.host && owner.bootId === me.bootId && owner.namespace === me.namespace;
  if (!isObservable) return isExpired();
  if (!isPidInUse(owner.pid)) return true;
  const { isEnded, startTime } = await readProcessState(owner.pid);
  if (isEnded) return true;
  // If the start times are unknown, the pid may belong to a later process.
  if (startTime === "" || owner.startTime === "") return isExpired();
  return startTime !== owner.startTime;
}

const formVersion = 1;

/** Serializes an owner as the content of a lock file. */
export function toLockText(owner: LockOwner): string {
  return JSON.stringify({ lock: formVersion, ...owner });
}

/** Parses the content of a lock file. Returns undefined if the text is not a lock file. */
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
    const value: unknown = parseJsonText(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
