import type { Tier } from "../dialects/envelope-v1.ts";
import type { RateLimitOptions } from "../envelope/to-meta.ts";
import type { UnknownRecord } from "../json/json-value.ts";
import { warning } from "../warnings/warnings.ts";
import { ContractError, type ErrorOptions } from "./contract-error.ts";
import type { ErrorCode } from "./error-catalogue.ts";
import { quoteShort } from "./field-error.ts";

const notFoundCodes: Readonly<Record<string, ErrorCode>> = {
  spec: "SPEC_NOT_FOUND",
  task: "TASK_NOT_FOUND",
  phase: "PHASE_NOT_FOUND",
  content: "CONTENT_NOT_FOUND",
};

/** The thing asked for does not exist; specs, tasks, phases and archived content have codes of their own. */
export function notFound(
  resourceType: string,
  resourceId: string,
  options: ErrorOptions = {},
): ContractError {
  const name = resourceType.charAt(0).toUpperCase() + resourceType.slice(1);
  return new ContractError(`${name} not found: ${quoteShort(resourceId)}`, {
    errorCode: Object.hasOwn(notFoundCodes, resourceType) ? notFoundCodes[resourceType] : "NOT_FOUND",
    ...options,
    details: { resource_type: resourceType, resource_id: quoteShort(resourceId), ...options.details },
  });
}

/** The current state forbids it; `options.errorCode` names the more precise conflict. */
export function conflict(message: string, options: ErrorOptions = {}): ContractError {
  return new ContractError(message, { errorCode: "CONFLICT", ...options });
}

/** Something with this id or name exists already. */
export function duplicateEntry(
  resourceType: string,
  resourceId: string,
  options: ErrorOptions = {},
): ContractError {
  return conflict(`A ${resourceType} with this id exists already: ${quoteShort(resourceId)}`, {
    errorCode: "DUPLICATE_ENTRY",
    ...options,
    details: { resource_type: resourceType, resource_id: quoteShort(resourceId), ...options.details },
  });
}

/** Credentials are missing or wrong. */
export function unauthorized(
  message = "Authentication is required",
  options: ErrorOptions = {},
): ContractError {
  return new ContractError(message, { errorCode: "UNAUTHORIZED", ...options });
}

/** The caller may not do this; name the permission that would allow it. */
export function forbidden(
  message: string,
  { requiredPermission, ...options }: ErrorOptions & { readonly requiredPermission?: string } = {},
): ContractError {
  const permission = requiredPermission === undefined ? {} : { required_permission: requiredPermission };
  return new ContractError(message, {
    errorCode: "FORBIDDEN",
    ...options,
    details: { ...permission, ...options.details },
  });
}

/** The feature is switched off for this caller. */
export function featureDisabled(feature: string, options: ErrorOptions = {}): ContractError {
  return new ContractError(`Feature '${quoteShort(feature)}' is not enabled`, {
    errorCode: "FEATURE_DISABLED",
    remediation: `Switch the feature flag ${quoteShort(feature)} on, or call without the feature.`,
    ...options,
    data: { feature, ...options.data },
  });
}

/** The feature needs a higher tier; envelope-v1 clients see it as an upgrade hint. */
export function upgradeRequired(
  hint: { readonly feature: string; readonly tier: Tier; readonly reason?: string },
  options: ErrorOptions = {},
): ContractError {
  const { feature, tier } = hint;
  const reason = hint.reason ?? `${feature} needs the ${tier} tier`;
  return new ContractError(reason, {
    errorCode: "UPGRADE_REQUIRED",
    remediation: `Upgrade to the ${tier} tier, or call without ${feature}.`,
    ...options,
    details: { feature, tier, ...options.details },
    warningDetails: [
      warning("UPGRADE_AVAILABLE", reason, { feature, tier }),
      ...(options.warningDetails ?? []),
    ],
  });
}

/** The quota is used up; `limit.retryAfter` says for how many seconds. */
export function rateLimited(
  limit: Omit<RateLimitOptions, "remaining"> & { readonly remaining?: number },
  options: ErrorOptions = {},
): ContractError {
  const { retryAfter, period } = limit;
  const wait = retryAfter === undefined ? `until ${toText(limit.resetAt)}` : `${retryAfter} seconds`;
  const per = period === undefined ? "" : ` per ${period}`;
  return new ContractError(`Rate limit exceeded: ${limit.limit} requests${per}`, {
    errorCode: "RATE_LIMIT_EXCEEDED",
    remediation: `Wait ${wait} before retrying.`,
    ...options,
    rateLimit: { remaining: 0, ...limit },
    data: { ...delay(retryAfter), ...options.data },
  });
}

/** The service cannot answer now; `options.errorCode` names the more precise reason. */
export function unavailable(
  message: string,
  { retryAfterSeconds, ...options }: ErrorOptions & { readonly retryAfterSeconds?: number } = {},
): ContractError {
  return new ContractError(message, {
    errorCode: "UNAVAILABLE",
    ...options,
    data: { ...delay(retryAfterSeconds), ...options.data },
  });
}

/** The deadline passed. */
export function timedOut(milliseconds: number, options: ErrorOptions = {}): ContractError {
  return new ContractError(`The work was not done within ${milliseconds} ms`, {
    errorCode: "TIMEOUT",
    ...options,
    details: { deadline_ms: milliseconds, ...options.details },
  });
}

/** The caller gave up. */
export function cancelled(message = "The call was cancelled", options: ErrorOptions = {}): ContractError {
  return new ContractError(message, { errorCode: "CANCELLED", ...options });
}

/** The server failed; the cause is for the log, never for the wire. */
export function internal(
  message = "The server failed unexpectedly",
  options: ErrorOptions & { readonly cause?: unknown } = {},
): ContractError {
  return new ContractError(message, { errorCode: "INTERNAL_ERROR", ...options });
}

function delay(seconds: number | undefined): UnknownRecord {
  return seconds === undefined ? {} : { retry_after_seconds: seconds };
}

function toText(time: string | Date): string {
  return typeof time === "string" ? time : time.toISOString();
}
