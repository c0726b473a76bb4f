import { nearestName } from "./nearest-name.ts";

/** "Did you mean low? Use one of low, medium, high." Guesses where nobody knows what was meant. */
export function useOneOf(found: unknown, names: readonly string[], meant?: string): string {
  const guess = meant ?? (typeof found === "string" ? nearestName(found, names) : undefined);
  return `${guess === undefined ? "" : `Did you mean ${guess}? `}Use one of ${names.join(", ")}.`;
}
