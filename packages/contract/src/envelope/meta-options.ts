import type { UnknownRecord } from "../json/json-value.ts";
import type { Fidelity, Pagination, RateLimit, Telemetry } from "./envelope.ts";
import type { WarningDetail } from "./warnings.ts";

/** The options for `meta.pagination`, with names in camelCase. */
export interface PaginationOptions {
  readonly cursor: string | null;
  readonly hasMore: boolean;
  readonly totalCount?: number | undefined;
  readonly pageSize: number;
}

/** The options for `meta.rate_limit`, with names in camelCase. */
export interface RateLimitOptions {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: string | Date;
  /** The period of the quota, such as `minute`. */
  readonly period?: string | undefined;
  /** The time in seconds until the caller may retry. */
  readonly retryAfter?: number | undefined;
}

/** The options for `meta.telemetry`, with names in camelCase; counters keep their own names. */
export interface TelemetryOptions {
  readonly durationMs?: number | undefined;
  readonly [counter: string]: unknown;
}

/**
 * The metadata options of the builders; nested objects may also use wire spelling, so that objects from another
 * response can be reused.
 */
export interface MetaOptions {
  readonly requestId?: string | undefined;
  /** The warnings; a single string is one warning. */
  readonly warnings?: string | readonly string[] | undefined;
  /** The details of warnings; the messages of the details are added to `warnings`. */
  readonly warningDetails?: readonly WarningDetail[] | undefined;
  readonly pagination?: PaginationOptions | Pagination | undefined;
  readonly rateLimit?: RateLimitOptions | RateLimit | undefined;
  readonly telemetry?: TelemetryOptions | Telemetry | undefined;
  readonly contentFidelity?: Fidelity | undefined;
  /** The ids of the dropped content; requires a `contentFidelity` below `full`. */
  readonly droppedContentIds?: readonly string[] | undefined;
  readonly contentArchiveHashes?: Readonly<Record<string, string>> | undefined;
  /**
   * Additional keys of `meta`. A reserved key overrides the corresponding option and must have the type of that
   * option; `version` cannot be changed.
   */
  readonly meta?: UnknownRecord | undefined;
}
