import { getOwn, isRecord, setOwn, type UnknownRecord } from "../json/json-value.ts";
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
import { isPlainMeta } from "./plain-meta.ts";
import { refuse } from "./refuse.ts";
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
  /** Further keys. A reserved one wins over its option and must have its type; `version` stays what it is. */
  readonly meta?: UnknownRecord | undefined;
}

/** Builds `meta`: reserved keys in their order, nothing empty, everything of its type. */
export function toMeta(given: MetaOptions): Meta {
  const options = given ?? {};
  const extra = options.meta ?? {};
  if (!isRecord(extra)) refuse("$.meta", "must be an object");
  const {
    content_fidelity: fidelity = options.contentFidelity,
    dropped_content_ids: dropped = options.droppedContentIds,
  } = extra;
  if (!isEmpty(dropped) && (fidelity ?? "full") === "full") {
    refuse("$.meta.content_fidelity", "must be below full when content is dropped");
  }
  const details = extra["warning_details"] ?? options.warningDetails;
  const meta: Record<string, unknown> = { version: extra["version"] ?? responseVersion };
  const put = (key: (typeof reservedMetaKeys)[number], value: unknown) => {
    if (!isEmpty(value)) meta[key] = value;
  };
  put("request_id", extra["request_id"] ?? options.requestId);
  put("warnings", toWarnings(extra["warnings"] ?? toList(options.warnings), details));
  put("warning_details", details);
  put("pagination", extra["pagination"] ?? toWireShape(options.pagination, paginationNames));
  put("rate_limit", extra["rate_limit"] ?? toWireShape(options.rateLimit, rateLimitNames));
  put("telemetry", extra["telemetry"] ?? toWireShape(options.telemetry, telemetryNames));
  put("content_fidelity_schema_version", isEmpty(fidelity) ? undefined : fidelitySchemaVersion);
  put("content_fidelity", fidelity);
  put("dropped_content_ids", dropped);
  put("content_archive_hashes", extra["content_archive_hashes"] ?? options.contentArchiveHashes);
  for (const key of Object.keys(extra)) {
    if (!(reservedMetaKeys as readonly string[]).includes(key)) setOwn(meta, key, extra[key]);
  }
  if (!isPlainMeta(meta) && !metaValidator.is(meta)) {
    const [{ path, message } = { path: "$", message: "is wrong" }] = metaValidator.problems(meta);
    refuse(path.replace("$", "$.meta"), message);
  }
  return meta as unknown as Meta;
}

/** True for what is left out: nothing, null, an empty text, list or object. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function toList(given: MetaOptions["warnings"]): unknown {
  return typeof given === "string" ? [given] : given;
}

/** The messages of details are told among the other warnings; what is no list is left for the check of types. */
function toWarnings(given: unknown, details: unknown): unknown {
  const warnings = given ?? [];
  if (!Array.isArray(warnings) || !Array.isArray(details)) return warnings;
  return [...new Set([...warnings, ...details.map((detail) => detail?.message)])];
}

const paginationNames: UnknownRecord = {
  hasMore: "has_more",
  totalCount: "total_count",
  pageSize: "page_size",
};
const rateLimitNames: UnknownRecord = { resetAt: "reset_at", retryAfter: "retry_after" };
const telemetryNames: UnknownRecord = { durationMs: "duration_ms" };

function toWireShape(shape: object | undefined, names: UnknownRecord): unknown {
  if (!isRecord(shape)) return shape;
  const wire: Record<string, unknown> = {};
  for (const key of Object.keys(shape)) {
    const name = String(getOwn(names, key) ?? key);
    const value = shape[key];
    if (value !== undefined)
      setOwn(wire, name, name === "reset_at" || name === "duration_ms" ? toWireValue(value) : value);
  }
  return wire;
}

function toWireValue(value: unknown): unknown {
  if (typeof value === "number") return roundMilliseconds(value);
  // An invalid date stays what it is, for the check of types to refuse.
  return value instanceof Date ? (value.toJSON() ?? value) : value;
}
