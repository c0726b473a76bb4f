import type { WarningDetail } from "../envelope/envelope.ts";
import type { UnknownRecord } from "../json/json-value.ts";

/** How much a warning matters, least first. */
export const severities = ["info", "warning", "error"] as const;

/** One severity. */
export type Severity = (typeof severities)[number];

/** The warning codes that ship; a server may use others. */
export const warningCatalogue = {
  CONTENT_TRUNCATED: { severity: "info", meaning: "The answer was shortened to fit its budget." },
  STALE_CACHE: { severity: "warning", meaning: "The answer comes from a cache and may be out of date." },
  PARTIAL_FAILURE: { severity: "warning", meaning: "Some parts of the work failed, the whole succeeded." },
  DEPRECATED_FIELD: {
    severity: "info",
    meaning: "The call or its answer uses a field that will be removed.",
  },
  RATE_LIMIT_APPROACHING: { severity: "warning", meaning: "Less than a fifth of the quota is left." },
  FALLBACK_USED: {
    severity: "info",
    meaning: "The preferred source was not available, another one was used.",
  },
  UPGRADE_AVAILABLE: { severity: "info", meaning: "A feature was left out because it needs a higher tier." },
  UPSTREAM_NORMALIZED: {
    severity: "info",
    meaning: "What an upstream answered was brought into the form of the contract.",
  },
} as const satisfies Readonly<Record<string, { severity: Severity; meaning: string }>>;

/** A warning code that ships. */
export type WarningCode = keyof typeof warningCatalogue;

/** Makes a warning of a code that ships, with that code's severity. */
export function warning(code: WarningCode, message: string, context?: UnknownRecord): WarningDetail {
  const { severity } = warningCatalogue[code];
  return context === undefined ? { code, severity, message } : { code, severity, message, context };
}
