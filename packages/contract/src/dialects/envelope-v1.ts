import type { Tier } from "../errors/error-types.ts";

/** The capability that every envelope-v1 lists. */
export const envelopeV1Capability = "envelope-v1";

/** A response with tiers and upgrade hints; all fields are always present. */
export interface EnvelopeV1 {
  readonly tier: Tier;
  readonly tool_version: string;
  readonly tool_id: string;
  readonly request_id: string;
  readonly capabilities: readonly string[];
  /** The duration in milliseconds; 0 if the duration was not measured. Other servers also send null. */
  readonly duration_ms: number | null;
  readonly error: EnvelopeV1Error | null;
  readonly upgrade_hints: readonly UpgradeHint[];
  readonly data: unknown;
}

/** The error of an envelope-v1. */
export interface EnvelopeV1Error {
  readonly error: string;
  readonly error_code: string;
  readonly error_details: Readonly<Record<string, unknown>> | null;
}

/** A feature that needs a higher tier. */
export interface UpgradeHint {
  readonly feature: string;
  readonly tier: string;
  readonly reason: string;
}
