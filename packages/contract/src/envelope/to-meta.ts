import { ContractError } from "../errors/contract-error.ts";
import { isRecord, setOwn, type UnknownRecord } from "../json/json-value.ts";
import { metaValidator } from "../schema/validators.ts";
import {
  type Fidelity,
  fidelitySchemaVersion,
  type Meta,
  type Pagination,
  type RateLimit,
  reservedMetaKeys,
  responseVersion,
  type Telemetry,
  type WarningDetail,
} from "./envelope.ts";
import { roundMilliseconds } from "./round-milliseconds.ts";

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
  /** Further keys; reserved ones must have their type, and `version` stays what it is. */
  readonly meta?: UnknownRecord | undefined;
}

/** Builds `meta`: reserved keys in their order, nothing empty, everything of its type. */
export function toMeta(options: MetaOptions): Meta {
  const extra = options.meta ?? {};
  if (!isRecord(extra)) throw refusal("meta must be an object", [{ path: "$.meta", expected: "object" }]);
  if ((options.droppedContentIds?.length ?? 0) > 0 && (options.contentFidelity ?? "full") === "full") {
    throw refusal("droppedContentIds needs a contentFidelity below full", [
      { path: "$.meta.content_fidelity" },
    ]);
  }
  const details = options.warningDetails ?? [];
  const fidelity = options.contentFidelity;
  const built: Record<(typeof reservedMetaKeys)[number], unknown> = {
    version: responseVersion,
    request_id: options.requestId,
    warnings: toWarnings(options.warnings, details),
    warning_details: details,
    pagination: toWireShape(options.pagination),
    rate_limit: toWireShape(options.rateLimit),
    telemetry: toWireShape(options.telemetry),
    content_fidelity_schema_version: fidelity === undefined ? undefined : fidelitySchemaVersion,
    content_fidelity: fidelity,
    dropped_content_ids: options.droppedContentIds,
    content_archive_hashes: options.contentArchiveHashes,
  };
  const meta: Record<string, unknown> = {};
  for (const key of reservedMetaKeys) {
    const value = extra[key] ?? built[key];
    if (!isEmpty(value)) meta[key] = value;
  }
  for (const key of Object.keys(extra)) {
    if (!(key in built) && extra[key] !== undefined) setOwn(meta, key, extra[key]);
  }
  if (!metaValidator().is(meta)) {
    const problems = metaValidator().problems(meta);
    throw refusal(
      "meta has a reserved key of the wrong type",
      problems.map(({ path, keyword, expected }) => ({
        path: path.replace("$", "$.meta"),
        [keyword]: expected,
      })),
    );
  }
  return meta as unknown as Meta;
}

function toWarnings(given: MetaOptions["warnings"], details: readonly WarningDetail[]): readonly unknown[] {
  const warnings: unknown[] = typeof given === "string" ? [given] : [...(given ?? [])];
  for (const detail of details) if (!warnings.includes(detail?.message)) warnings.push(detail?.message);
  return warnings;
}

const wireNames: Readonly<Record<string, string>> = {
  hasMore: "has_more",
  totalCount: "total_count",
  pageSize: "page_size",
  resetAt: "reset_at",
  retryAfter: "retry_after",
  durationMs: "duration_ms",
};

function toWireShape(shape: object | undefined): unknown {
  if (!isRecord(shape)) return shape;
  const wire: Record<string, unknown> = {};
  for (const key of Object.keys(shape)) {
    const value = shape[key];
    if (value === undefined) continue;
    const name = Object.hasOwn(wireNames, key) ? (wireNames[key] ?? key) : key;
    setOwn(wire, name, toWireValue(name, value));
  }
  return wire;
}

function toWireValue(name: string, value: unknown): unknown {
  if (name === "duration_ms" && typeof value === "number") return roundMilliseconds(value);
  // An invalid date stays what it is, for the check of types to refuse.
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object") return value === "";
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function refusal(problem: string, errors: readonly UnknownRecord[]): ContractError {
  return new ContractError(`Cannot build the answer: ${problem}`, {
    errorCode: "INTERNAL_ERROR",
    remediation: "This is a fault of the tool, not of the call; report it to the tool's author.",
    details: { errors },
  });
}
