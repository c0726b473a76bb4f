import { createHash } from "node:crypto";
import { ContractError } from "@foundry-mcp/contract";
import type { IdempotencyKey } from "./spec-store.ts";

/** What a call with a key was answered. */
export interface StoredResponse {
  readonly fingerprint: string;
  /** When, ISO 8601 in UTC. */
  readonly at: string;
  readonly revision: string;
  readonly result: unknown;
  readonly warnings: readonly string[];
}

/** So long a key stands for its first answer. */
export const responseTtlMs: number = 24 * 60 * 60 * 1_000;

/** The answer of a call that was made before; undefined where it was not, or long ago. A key that was used for something else is refused. */
export function replayResponse<R>(
  { key, fingerprint }: IdempotencyKey,
  kept: StoredResponse | undefined,
  now: string,
): { readonly result: R; readonly warnings: readonly string[] } | undefined {
  if (kept === undefined || Date.parse(now) - Date.parse(kept.at) > responseTtlMs) return undefined;
  if (kept.fingerprint === fingerprint) return { result: kept.result as R, warnings: kept.warnings };
  throw new ContractError(
    `The key "${key.slice(0, 60).toWellFormed()}" was used at ${kept.at} for another call`,
    {
      errorCode: "CONFLICT",
      remediation: "Repeat a call with the very same arguments, or use a new idempotency_key.",
      details: { idempotency_key: key.slice(0, 200).toWellFormed(), used_at: kept.at },
    },
  );
}

/** A key as a short name: keys are anything. */
export function toResponseName({ key, owner = "" }: Pick<IdempotencyKey, "key" | "owner">): string {
  return createHash("sha256")
    .update(JSON.stringify([owner, key]))
    .digest("hex")
    .slice(0, 32);
}
