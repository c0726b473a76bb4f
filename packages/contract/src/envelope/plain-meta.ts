import { isRecord, type UnknownRecord } from "../json/json-value.ts";
import { responseVersion } from "./envelope.ts";
import { requestIdPattern } from "./request-id-pattern.ts";

/**
 * True for the `meta` that most answers have: a version, an id, a duration, a page, warnings. It is as the schema says, and
 * a process that makes a single answer need not make the schema to know.
 */
export function isPlainMeta(meta: UnknownRecord): boolean {
  return Object.keys(meta).every((key) => isPlain[key]?.(meta[key]) === true);
}

const isPlain: Readonly<Record<string, (value: unknown) => boolean>> = {
  __proto__: null as never,
  version: (value) => value === responseVersion,
  request_id: (value) => typeof value === "string" && requestIdPattern.test(value),
  telemetry: (value) =>
    isRecord(value) && Object.keys(value).every((key) => key === "duration_ms" && isDuration(value[key])),
  pagination: (value) =>
    isRecord(value) &&
    Object.keys(value).every((key) => isPlainPage[key]?.(value[key]) === true) &&
    "cursor" in value &&
    "has_more" in value &&
    "page_size" in value,
  warnings: (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
};

const isPlainPage: Readonly<Record<string, (value: unknown) => boolean>> = {
  __proto__: null as never,
  cursor: (value) => value === null || typeof value === "string",
  has_more: (value) => typeof value === "boolean",
  total_count: isCount,
  page_size: isCount,
};

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isDuration(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY;
}
