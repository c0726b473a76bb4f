import { byLikeness, nearest } from "@foundry-mcp/contract/input";

export { byLikeness, nearest };

/** The maximum number of names that a message lists. */
export const maxNames = 10;

/**
 * Returns a suggestion such as "Use one of: get, list."; if a name is similar, a guess comes first. The text
 * `whole` says where all names are listed; this text is added if there are too many names to list.
 */
export function suggest(written: string, names: readonly string[], whole?: string): string {
  const guess = nearest(written, names);
  if (names.length === 0) return "There are none.";
  const rest = whole === undefined || names.length <= maxNames ? "" : ` ${whole}`;
  return `${guess === undefined ? "" : `Did you mean ${guess}? `}Use one of: ${listNearest(written, names)}.${rest}`;
}

/** Lists the names that are most similar to the given text, and states how many other names there are. */
export function listNearest(written: string, names: readonly string[]): string {
  const rest = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
  return `${byLikeness(written, names).slice(0, maxNames).join(", ")}${rest}`;
}
