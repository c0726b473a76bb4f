import type { RateLimitOptions } from "../envelope/meta-options.ts";
import { warning } from "../envelope/warnings.ts";
import { ContractError, type FailureOptions, withoutUndefined } from "./contract-error.ts";
import { lookUpCode } from "./error-catalogue.ts";
import type { Tier } from "./error-types.ts";
import { quoteId } from "./quotable.ts";

/**
 * Creates the error for a resource that does not exist. Specs, tasks, phases and archived content have their own error
 * codes.
 */
export function notFound(resourceType: string, resourceId: string, options?: FailureOptions): ContractError {
  const ownCode = `${String(resourceType).toUpperCase()}_NOT_FOUND`;
  const name = String(resourceType).replace(/^./, (letter) => letter.toUpperCase());
  const id = quoteId(resourceId);
  return fail(
    lookUpCode(ownCode) === undefined ? "NOT_FOUND" : ownCode,
    `${name} not found: ${id}`,
    options,
    {
      details: { resource_type: resourceType, resource_id: id },
    },
  );
}

/**
 * Creates the error for a call that the current state does not allow. `options.errorCode` can name a more specific
 * conflict.
 */
export function conflict(message: string, options?: FailureOptions): ContractError {
  return fail("CONFLICT", message, options);
}

/** Creates the error for an id or name that already exists. */
export function duplicateEntry(
  resourceType: string,
  resourceId: string,
  options?: FailureOptions,
): ContractError {
  const id = quoteId(resourceId);
  return fail("DUPLICATE_ENTRY", `A ${resourceType} with this id exists already: ${id}`, options, {
    details: { resource_type: resourceType, resource_id: id },
  });
}

/** Creates the error for missing or invalid credentials. */
export function unauthorized(
  message = "Authentication is required",
  options?: FailureOptions,
): ContractError {
  return fail("UNAUTHORIZED", message, options);
}

/** Creates the error for a caller without the required permission, which `requiredPermission` names. */
export function forbidden(
  message: string,
  { requiredPermission, ...options }: FailureOptions & { readonly requiredPermission?: string } = {},
): ContractError {
  return fail("FORBIDDEN", message, options, {
    details: requiredPermission === undefined ? {} : { required_permission: requiredPermission },
  });
}

/** Creates the error for a feature whose flag is off for the caller. */
export function featureDisabled(feature: string, options?: FailureOptions): ContractError {
  return fail("FEATURE_DISABLED", `Feature '${quoteId(feature)}' is not enabled`, options, {
    remediation: `Switch the feature flag ${quoteId(feature)} on, or call without the feature.`,
    data: { feature },
  });
}

/** Creates the error for a feature that needs a higher tier. Clients of envelope-v1 receive an upgrade hint. */
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

/** Creates the error for a caller who has exhausted a rate limit. `limit.retryAfter` is the delay in seconds. */
export function rateLimited(
  limit: Omit<RateLimitOptions, "remaining"> & { readonly remaining?: number },
  options?: FailureOptions,
): ContractError {
  const { retryAfter, period, resetAt } = limit;
  const per = period === undefined ? "" : ` per ${period}`;
  return fail("RATE_LIMIT_EXCEEDED", `Rate limit exceeded: ${limit.limit} requests${per}`, options, {
    ...(retryAfter === undefined
      ? { remediation: `Wait until ${new Date(resetAt).toJSON()} before retrying.` }
      : { remediation: "Wait {1} before retrying.", remedy: { wait: retryAfter } }),
    rateLimit: { remaining: 0, ...limit },
    data: toRetryData(retryAfter),
  });
}

/** Creates the error for a service that cannot answer now. `options.errorCode` can name a more specific reason. */
export function unavailable(
  message: string,
  { retryAfterSeconds, ...options }: FailureOptions & { readonly retryAfterSeconds?: number } = {},
): ContractError {
  return fail("UNAVAILABLE", message, options, { data: toRetryData(retryAfterSeconds) });
}

/** Creates the error for a call that exceeded its deadline. */
export function timedOut(milliseconds: number, options?: FailureOptions): ContractError {
  return fail("TIMEOUT", `The work was not done within ${milliseconds} ms`, options, {
    details: { deadline_ms: milliseconds },
  });
}

/** Creates the error for a call that its caller cancelled. */
export function cancelled(message = "The call was cancelled", options?: FailureOptions): ContractError {
  return fail("CANCELLED", message, options);
}

/** Creates the error for a bug or an unexpected state of the server. */
export function internal(
  message = "The server failed unexpectedly",
  options?: FailureOptions,
): ContractError {
  return fail("INTERNAL_ERROR", message, options);
}

/**
 * Creates an error from default options and the caller's options. The caller's options override the defaults, except
 * that details, data and warning details are merged.
 */
function fail(
  errorCode: string,
  message: string,
  options: FailureOptions | undefined,
  defaults: FailureOptions = {},
): ContractError {
  const overrides = withoutUndefined(options);
  return new ContractError(message, {
    errorCode,
    ...defaults,
    ...overrides,
    details: { ...defaults.details, ...overrides.details },
    data: { ...defaults.data, ...overrides.data },
    warningDetails: [...(defaults.warningDetails ?? []), ...(overrides.warningDetails ?? [])],
  });
}

function toRetryData(seconds: number | undefined): FailureOptions["data"] {
  return seconds === undefined ? {} : { retry_after_seconds: seconds };
}
