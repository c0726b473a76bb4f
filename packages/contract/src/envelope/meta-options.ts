import type { UnknownRecord } from "../json/json-value.ts";
import type { Fidelity, Pagination, RateLimit, Telemetry } from "./envelope.ts";
import type { WarningDetail } from "./warnings.ts";

/** `meta.pagination` in the spelling of TypeScript. */
export interface PaginationOptions {
  readonly cursor: string | null;
  readonly hasMore: boolean;
  readonly totalCount?: number | undefined;
  readonly pageSize: number;
}

/** `meta.rate_limit` in the spelling of TypeScript. */
export interface RateLimitOptions {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: string | Date;
  /** The time the quota counts for, such as `minute`. */
  readonly period?: string | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

/** `meta.telemetry` in the spelling of TypeScript; counters keep the names they are given. */
export interface TelemetryOptions {
  readonly durationMs?: number | undefined;
  readonly [counter: string]: unknown;
}

/** What an answer can say about itself. The wire's own spelling of a shape is taken as well, so that one read elsewhere can be passed on. */
export interface MetaOptions {
  readonly requestId?: string | undefined;
  /** A single string is one warning. */
  readonly warnings?: string | readonly string[] | undefined;
  /** Their messages are put into `warnings` too. */
  readonly warningDetails?: readonly WarningDetail[] | undefined;
  readonly pagination?: PaginationOptions | Pagination | undefined;
  readonly rateLimit?: RateLimitOptions | RateLimit | undefined;
  readonly telemetry?: TelemetryOptions | Telemetry | undefined;
  readonly contentFidelity?: Fidelity | undefined;
  /** Needs a `contentFidelity` below full. */
  readonly droppedContentIds?: readonly string[] | undefined;
  readonly contentArchiveHashes?: Readonly<Record<string, string>> | undefined;
  /** Further keys. A reserved one wins over its option and must have its type; `version` stays what it is. */
  readonly meta?: UnknownRecord | undefined;
}
