import type { Tier } from "../errors/error-types.ts";

/** The capability that every envelope-v1 lists. */
export const envelopeV1Capability = "envelope-v1";

/** A response of the dialect envelope-v1, which has tiers and upgrade hints. All fields are always present. */
export interface EnvelopeV1 {
  readonly tier: Tier;
  readonly tool_version: string;
  readonly tool_id: string;
  readonly request_id: string;
  readonly capabilities: readonly string[];
  /** The duration in milliseconds, or 0 if it was not measured. Some servers send null. */
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

/** A hint that a feature is only available in a higher tier. */
export interface UpgradeHint {
  readonly feature: string;
  readonly tier: string;
  readonly reason: string;
}
