import type { Tier } from "../errors/error-types.ts";

/** The marker that every envelope-v1 lists among its capabilities. */
export const envelopeV1Capability = "envelope-v1";

/** The envelope with tiers and upgrade hints; every field is always present. */
export interface EnvelopeV1 {
  readonly tier: Tier;
  readonly tool_version: string;
  readonly tool_id: string;
  readonly request_id: string;
  readonly capabilities: readonly string[];
  /** Required of paid tiers; null where it was not measured. */
  readonly duration_ms: number | null;
  readonly error: EnvelopeV1Error | null;
  readonly upgrade_hints: readonly UpgradeHint[];
  readonly data: unknown;
}

/** Why a call failed, in envelope-v1. */
export interface EnvelopeV1Error {
  readonly error: string;
  readonly error_code: string;
  readonly error_details: Readonly<Record<string, unknown>> | null;
}

/** A feature that a higher tier would have given. */
export interface UpgradeHint {
  readonly feature: string;
  readonly tier: string;
  readonly reason: string;
}
