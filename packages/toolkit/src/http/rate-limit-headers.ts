import type { Outcome } from "../dispatch/dispatch.ts";

/** What is left of a client's quota, as the headers of draft-ietf-httpapi-ratelimit-headers. */
export function toRateLimitHeaders(quota: Outcome["quota"]): Record<string, string> {
  if (quota === undefined) return {};
  const { limit, periodSeconds, remaining, resetMs } = quota;
  const policy = toText(quota.policy);
  return {
    "ratelimit-policy": `${policy};q=${limit};w=${periodSeconds}`,
    ratelimit: `${policy};r=${remaining};t=${Math.ceil(resetMs / 1_000)}`,
  };
}

/** A text of a structured field, which holds ASCII alone. */
function toText(value: string): string {
  return `"${value.replace(/[^\x20-\x7e]/g, "_").replace(/["\\]/g, "\\$&")}"`;
}
