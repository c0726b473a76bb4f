import type { UnknownRecord } from "../json/json-value.ts";
import type { WarningDetail } from "./warnings.ts";

/** The version in every response-v2 envelope. */
export const responseVersion = "response-v2";

/** The response of a tool: a success with a payload, or a failure with an error and a remediation. */
export type Envelope<T extends object = UnknownRecord> = Success<T> | Failure;

/** The response of a call that succeeded. */
export interface Success<T extends object = UnknownRecord> {
  readonly success: true;
  readonly data: T;
  readonly error: null;
  readonly meta: Meta;
}

/** The response of a call that failed. People read `error`, programs read `data`. */
export interface Failure {
  readonly success: false;
  readonly data: FailureData;
  readonly error: string;
  readonly meta: Meta;
}

/**
 * The payload of a failure. Failures from this package always have a code, a type and a remediation. Failures from
 * other servers may lack them.
 */
export interface FailureData {
  /** The stable, machine-readable error code, in SCREAMING_SNAKE_CASE. */
  readonly error_code?: string;
  readonly error_type?: string;
  /** The next step for the caller, in one sentence. */
  readonly remediation?: string;
  readonly details?: UnknownRecord;
  readonly [key: string]: unknown;
}

/** The metadata of a response; other keys are allowed and preserved. */
export interface Meta {
  readonly version: typeof responseVersion;
  readonly request_id?: string;
  readonly warnings?: readonly string[];
  readonly warning_details?: readonly WarningDetail[];
  readonly pagination?: Pagination;
  readonly rate_limit?: RateLimit;
  readonly telemetry?: Telemetry;
  readonly content_fidelity_schema_version?: string;
  readonly content_fidelity?: Fidelity;
  readonly dropped_content_ids?: readonly string[];
  readonly content_archive_hashes?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** The reserved keys of `meta`, in the order in which they are written. */
export const reservedMetaKeys = [
  "version",
  "request_id",
  "warnings",
  "warning_details",
  "pagination",
  "rate_limit",
  "telemetry",
  "content_fidelity_schema_version",
  "content_fidelity",
  "dropped_content_ids",
  "content_archive_hashes",
] as const satisfies readonly (keyof Meta)[];

/** The pagination of a list. `cursor` requests the next page, and is null on the last page. */
export interface Pagination {
  readonly cursor: string | null;
  readonly has_more: boolean;
  readonly total_count?: number;
  readonly page_size: number;
}

/** The state of a rate limit: how many calls are allowed and remain. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** The reset time in ISO 8601. */
  readonly reset_at: string;
  /** The period of the quota, such as `minute`. */
  readonly period?: string;
  /** The time in seconds until the caller may retry. */
  readonly retry_after?: number;
}

/** The duration of the call and other counters. */
export interface Telemetry {
  readonly duration_ms?: number;
  readonly [counter: string]: unknown;
}

/** The levels of completeness of a response, from the most to the least complete. */
export const fidelityLevels = ["full", "partial", "summary", "reference_only"] as const;

/** One level of completeness. */
export type Fidelity = (typeof fidelityLevels)[number];

/** The version of the fidelity keys, sent with `content_fidelity`. */
export const fidelitySchemaVersion = "1.0";

/** The pattern of a request id. */
export const requestIdPattern: RegExp = /^[A-Za-z0-9_-]{1,128}$/;
