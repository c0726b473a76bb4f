import type { RateLimitOptions } from "../envelope/meta-options.ts";
import { warning } from "../envelope/warnings.ts";
import { ContractError, type FailureOptions, withoutUndefined } from "./contract-error.ts";
import { lookUpCode } from "./error-catalogue.ts";
import type { Tier } from "./error-types.ts";
import { quoteShort } from "./validation-error.ts";

/** The thing asked for does not exist; specs, tasks, phases and archived content have codes of their own. */
export function notFound(resourceType: string, resourceId: string, options?: FailureOptions): ContractError {
  const own = `${String(resourceType).toUpperCase()}_NOT_FOUND`;
  const name = String(resourceType).replace(/^./, (letter) => letter.toUpperCase());
  const id = quoteShort(resourceId);
  return fail(lookUpCode(own) === undefined ? "NOT_FOUND" : own, `${name} not found: ${id}`, options, {
    details: { resource_type: resourceType, resource_id: id },
  });
}

/** The current state forbids it; `options.errorCode` names the more precise conflict. */
export function conflict(message: string, options?: FailureOptions): ContractError {
  return fail("CONFLICT", message, options);
}

/** Something with this id or name exists already. */
export function duplicateEntry(
  resourceType: string,
  resourceId: string,
  options?: FailureOptions,
): ContractError {
  const id = quoteShort(resourceId);
  return fail("DUPLICATE_ENTRY", `A ${resourceType} with this id exists already: ${id}`, options, {
    details: { resource_type: resourceType, resource_id: id },
  });
}

/** Credentials are missing or wrong. */
export function unauthorized(
  message = "Authentication is required",
  options?: FailureOptions,
): ContractError {
  return fail("UNAUTHORIZED", message, options);
}

/** The caller may not do this; name the permission that would allow it. */
export function forbidden(
  message: string,
  { requiredPermission, ...options }: FailureOptions & { readonly requiredPermission?: string } = {},
): ContractError {
  return fail("FORBIDDEN", message, options, {
    details: requiredPermission === undefined ? {} : { required_permission: requiredPermission },
  });
}

/** The feature is switched off for this caller. */
export function featureDisabled(feature: string, options?: FailureOptions): ContractError {
  return fail("FEATURE_DISABLED", `Feature '${quoteShort(feature)}' is not enabled`, options, {
    remediation: `Switch the feature flag ${quoteShort(feature)} on, or call without the feature.`,
    data: { feature },
  });
}

/** The feature needs a higher tier; envelope-v1 clients see it as an upgrade hint. */
export function upgradeRequired(
  {
    feature,
    tier,
    reason = `${feature} needs the ${tier} tier`,
  }: { readonly feature: string; readonly tier: Tier; readonly reason?: string },
  options?: FailureOptions,
): ContractError {
  return fail("UPGRADE_REQUIRED", reason, options, {
    remediation: `Upgrade to the ${tier} tier, or call without ${feature}.`,
    details: { feature, tier },
    warningDetails: [warning("UPGRADE_AVAILABLE", reason, { feature, tier })],
  });
}

/** The quota is used up; `limit.retryAfter` says for how many seconds. */
export function rateLimited(
  limit: Omit<RateLimitOptions, "remaining"> & { readonly remaining?: number },
  options?: FailureOptions,
): ContractError {
  const { retryAfter, period, resetAt } = limit;
  const per = period === undefined ? "" : ` per ${period}`;
  return fail("RATE_LIMIT_EXCEEDED", `Rate limit exceeded: ${limit.limit} requests${per}`, options, {
    remediation: `Wait ${retryAfter === undefined ? `until ${new Date(resetAt).toJSON()}` : `${retryAfter} seconds`} before retrying.`,
    rateLimit: { remaining: 0, ...limit },
    data: toDelay(retryAfter),
  });
}

/** The service cannot answer now; `options.errorCode` names the more precise reason. */
export function unavailable(
  message: string,
  { retryAfterSeconds, ...options }: FailureOptions & { readonly retryAfterSeconds?: number } = {},
): ContractError {
  return fail("UNAVAILABLE", message, options, { data: toDelay(retryAfterSeconds) });
}

/** The deadline passed. */
export function timedOut(milliseconds: number, options?: FailureOptions): ContractError {
  return fail("TIMEOUT", `The work was not done within ${milliseconds} ms`, options, {
    details: { deadline_ms: milliseconds },
  });
}

/** The caller gave up. */
export function cancelled(message = "The call was cancelled", options?: FailureOptions): ContractError {
  return fail("CANCELLED", message, options);
}

/** The server failed. */
export function internal(
  message = "The server failed unexpectedly",
  options?: FailureOptions,
): ContractError {
  return fail("INTERNAL_ERROR", message, options);
}

/** The caller's options win; details and data of both are sent. */
function fail(
  errorCode: string,
  message: string,
  options: FailureOptions | undefined,
  own: FailureOptions = {},
): ContractError {
  const told = withoutUndefined(options);
  return new ContractError(message, {
    errorCode,
    ...own,
    ...told,
    details: { ...own.details, ...told.details },
    data: { ...own.data, ...told.data },
    warningDetails: [...(own.warningDetails ?? []), ...(told.warningDetails ?? [])],
  });
}

function toDelay(seconds: number | undefined): FailureOptions["data"] {
  return seconds === undefined ? {} : { retry_after_seconds: seconds };
}
