import type { UnknownRecord } from "../json/json-value.ts";
import type { Fidelity, Pagination, RateLimit, Telemetry } from "./envelope.ts";
import type { WarningDetail } from "./warnings.ts";

/** `meta.pagination` in camelCase. */
export interface PaginationOptions {
  readonly cursor: string | null;
  readonly hasMore: boolean;
  readonly totalCount?: number | undefined;
  readonly pageSize: number;
}

/** `meta.rate_limit` in camelCase. */
export interface RateLimitOptions {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: string | Date;
  /** The period of the quota, such as `minute`. */
  readonly period?: string | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

/** `meta.telemetry` in camelCase; counters keep their names. */
export interface TelemetryOptions {
  readonly durationMs?: number | undefined;
  readonly [counter: string]: unknown;
}

/** The metadata of a response that builders take; shapes may also be in wire spelling, so that those of another response can be passed on. */
export interface MetaOptions {
  readonly requestId?: string | undefined;
  /** A single string is one warning. */
  readonly warnings?: string | readonly string[] | undefined;
  /** Their messages are added to `warnings`. */
  readonly warningDetails?: readonly WarningDetail[] | undefined;
  readonly pagination?: PaginationOptions | Pagination | undefined;
  readonly rateLimit?: RateLimitOptions | RateLimit | undefined;
  readonly telemetry?: TelemetryOptions | Telemetry | undefined;
  readonly contentFidelity?: Fidelity | undefined;
  /** Requires a `contentFidelity` below full. */
  readonly droppedContentIds?: readonly string[] | undefined;
  readonly contentArchiveHashes?: Readonly<Record<string, string>> | undefined;
  /** Further keys. A reserved key overrides its option and must have its type; `version` cannot be changed. */
  readonly meta?: UnknownRecord | undefined;
}
