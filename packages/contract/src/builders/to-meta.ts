import {
  fidelitySchemaVersion,
  type Meta,
  requestIdPattern,
  reservedMetaKeys,
  responseVersion,
} from "../envelope/envelope.ts";
import { metaValidator } from "../envelope/envelope-schemas.ts";
import type { MetaOptions } from "../envelope/meta-options.ts";
import { orderKeys } from "../envelope/order-meta.ts";
import { ContractError } from "../errors/contract-error.ts";
import { getOwn, isRecord, setOwn, type UnknownRecord } from "../json/json-value.ts";

/** The remediation of a failure that was caused by the tool itself, because it built an invalid response. */
export const toolFaultRemediation =
  "This is a fault of the tool, not of the call; report it to the tool's author.";

/** Throws the error of a builder that received an invalid value. `path` is the JSON path of the value. */
export function refuse(path: string, problem: string): never {
  throw new ContractError(`Cannot build the answer: ${path} ${problem}`, {
    remediation: toolFaultRemediation,
    details: { path },
  });
}

/**
 * Builds `meta` with its reserved keys in the order of the contract. Leaves out empty values, and throws for invalid
 * values.
 */
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
  put("rate_limit", inOrder(extra["rate_limit"] ?? toWireShape(options.rateLimit, rateLimitNames)));
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

/** True for a value that builders leave out: undefined, null, an empty string, list or object. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function toList(given: MetaOptions["warnings"]): unknown {
  return typeof given === "string" ? [given] : given;
}

/**
 * Adds the messages of the warning details to the warnings. A value that is not a list is returned unchanged, so that
 * the validator reports it.
 */
function toWarnings(given: unknown, details: unknown): unknown {
  const warnings = given ?? [];
  if (!Array.isArray(warnings) || !Array.isArray(details)) return warnings;
  return [...new Set([...warnings, ...details.map((detail) => detail?.message)])];
}

/**
 * The wire name of each option of `pagination`. Each nested object has its own table, so that a telemetry counter that
 * happens to be named `pageSize` is not renamed.
 */
const paginationNames: UnknownRecord = {
  hasMore: "has_more",
  totalCount: "total_count",
  pageSize: "page_size",
};
const rateLimitNames: UnknownRecord = { resetAt: "reset_at", retryAfter: "retry_after" };
const telemetryNames: UnknownRecord = { durationMs: "duration_ms" };

const rateLimitKeys: readonly string[] = ["limit", "remaining", "reset_at", "period", "retry_after"];

/**
 * Orders the keys of a rate limit as in the contract. A value that is not an object is returned unchanged, so that the
 * validator reports it.
 */
function inOrder(rateLimit: unknown): unknown {
  return isRecord(rateLimit) ? orderKeys(rateLimitKeys, rateLimit) : rateLimit;
}

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
  // An invalid date has no JSON form. It is returned unchanged, so that the validator reports it.
  return value instanceof Date ? (value.toJSON() ?? value) : value;
}

/** Rounds a duration to three decimals: more digits would suggest a precision that clocks do not have. */
export function roundMilliseconds(duration: number): number {
  const rounded = Math.round(duration * 1_000) / 1_000;
  return Number.isFinite(rounded) ? rounded : duration;
}

/**
 * Returns true for a valid `meta` that has only common keys: version, request id, duration, page and warnings. For such
 * a `meta`, the schema need not be compiled, which makes a process that sends a single response faster.
 */
export function isPlainMeta(meta: UnknownRecord): boolean {
  return hasOnly(meta, isPlainMember);
}

type MemberTests = Readonly<Record<string, (value: unknown) => boolean>>;

function hasOnly(record: UnknownRecord, tests: MemberTests): boolean {
  return Object.keys(record).every((key) => tests[key]?.(record[key]) === true);
}

const isPlainMember: MemberTests = {
  __proto__: null as never,
  version: (value) => value === responseVersion,
  request_id: (value) => typeof value === "string" && requestIdPattern.test(value),
  telemetry: (value) => isRecord(value) && hasOnly(value, isPlainTelemetryMember),
  pagination: (value) =>
    isRecord(value) &&
    hasOnly(value, isPlainPaginationMember) &&
    "cursor" in value &&
    "has_more" in value &&
    "page_size" in value,
  warnings: (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
};

const isPlainTelemetryMember: MemberTests = {
  __proto__: null as never,
  duration_ms: (value) => typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY,
};

const isPlainPaginationMember: MemberTests = {
  __proto__: null as never,
  cursor: (value) => value === null || typeof value === "string",
  has_more: (value) => typeof value === "boolean",
  total_count: isCount,
  page_size: isCount,
};

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
