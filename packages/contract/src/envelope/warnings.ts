import type { UnknownRecord } from "../json/json-value.ts";

/** The severities of a warning, lowest first. */
export const severities = ["info", "warning", "error"] as const;

/** One severity. */
export type Severity = (typeof severities)[number];

/** A machine-readable warning. */
export interface WarningDetail {
  readonly code?: string;
  readonly severity?: Severity;
  readonly message: string;
  readonly context?: UnknownRecord;
}

/** The built-in warning codes with their severity; a server may also use its own codes. */
export const warningCatalogue = {
  CONTENT_TRUNCATED: "info",
  STALE_CACHE: "warning",
  PARTIAL_FAILURE: "warning",
  DEPRECATED_FIELD: "info",
  RATE_LIMIT_APPROACHING: "warning",
  FALLBACK_USED: "info",
  UPGRADE_AVAILABLE: "info",
  UPSTREAM_NORMALIZED: "info",
  INPUT_NORMALIZED: "info",
  REVISION_OVERWRITTEN: "warning",
} as const satisfies Readonly<Record<string, Severity>>;

/** A built-in warning code. */
export type WarningCode = keyof typeof warningCatalogue;

/**
 * Creates a warning with the severity that the catalogue gives its code. For an unknown code, the severity is "info".
 */
export function warning(
  code: WarningCode | (string & {}),
  message: string,
  context?: UnknownRecord,
): WarningDetail {
  const severity = Object.hasOwn(warningCatalogue, code) ? warningCatalogue[code as WarningCode] : "info";
  return context === undefined ? { code, severity, message } : { code, severity, message, context };
}
