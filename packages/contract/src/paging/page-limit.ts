import { validationError } from "../errors/validation-error.ts";

/** How many rows a page has unless the caller says so, and at most. */
export interface PageLimits {
  readonly default: number;
  readonly max: number;
}

/** Reads the `limit` argument; what lies outside 1..max is refused, not silently clamped. */
export function parseLimit(value: unknown, limits: PageLimits): number {
  if (value === undefined || value === null) return limits.default;
  const expected = `a whole number from 1 to ${limits.max}`;
  if (!Number.isSafeInteger(value)) {
    throw validationError({ field: "limit", constraint: "type", expected, received: value });
  }
  const limit = value as number;
  if (limit < 1 || limit > limits.max) {
    throw validationError({ field: "limit", constraint: "range", expected, received: limit });
  }
  return limit;
}
