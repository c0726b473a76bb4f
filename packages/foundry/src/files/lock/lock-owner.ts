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
  /** Identifies this acquisition; unique. */
  readonly nonce: string;
  /** When the process began to wait, ISO 8601. */
  readonly since: string;
  /** The reason for holding the lock, for error messages. */
  readonly purpose?: string | undefined;
}

/** How long an owner whose process cannot be observed counts as alive without a renewal. */
export const leaseMs = 30_000;

/** How often an owner renews its lock. */
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
 * True if an owner is certainly dead. A process on another machine, in another container or from before a reboot cannot
 * be observed: it counts as dead when its lease expires without a renewal.
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
  // Without start times the pid may belong to a later process.
  if (startTime === "" || owner.startTime === "") return isExpired();
  return startTime !== owner.startTime;
}

const formVersion = 1;

/** Serializes an owner as the content of a lock file. */
export function toLockText(owner: LockOwner): string {
  return JSON.stringify({ lock: formVersion, ...owner });
}

/** Parses the content of a lock file; undefined if it is not one. */
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
