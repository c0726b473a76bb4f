import { createHash } from "node:crypto";
import { ContractError } from "@foundry-mcp/contract";
import type { IdempotencyKey } from "./spec-store.ts";

/** The stored response to a call with an idempotency key. */
export interface StoredResponse {
  readonly fingerprint: string;
  /** The time of the call, ISO 8601 in UTC. */
  readonly at: string;
  readonly revision: string;
  readonly result: unknown;
  readonly warnings: readonly string[];
}

/** The time in milliseconds for which a stored response is replayed for its key. */
export const responseTtlMs: number = 24 * 60 * 60 * 1_000;

/**
 * Returns the stored response to a call; undefined if there is none or it has expired. Throws CONFLICT if the
 * key was used for a different call.
 */
export function replayResponse<R>(
  { key, fingerprint }: IdempotencyKey,
  stored: StoredResponse | undefined,
  now: string,
): { readonly result: R; readonly warnings: readonly string[] } | undefined {
  if (stored === undefined || Date.parse(now) - Date.parse(stored.at) > responseTtlMs) return undefined;
  if (stored.fingerprint === fingerprint) return { result: stored.result as R, warnings: stored.warnings };
  throw new ContractError(
    `The key "${key.slice(0, 60).toWellFormed()}" was used at ${stored.at} for another call`,
    {
      errorCode: "CONFLICT",
      remediation: "Repeat the call with the same arguments, or use a new {--idempotency_key}.",
      details: { idempotency_key: key.slice(0, 200).toWellFormed(), used_at: stored.at },
    },
  );
}

/** True for the name of a stored response. */
export function isResponseName(name: unknown): name is string {
  return typeof name === "string" && /^[0-9a-f]{32}$/.test(name);
}

/** Converts a key to a short name with a hash, because a key may be any string. */
export function toResponseName({ key, owner = "" }: Pick<IdempotencyKey, "key" | "owner">): string {
  return createHash("sha256")
    .update(JSON.stringify([owner, key]))
    .digest("hex")
    .slice(0, 32);
}
