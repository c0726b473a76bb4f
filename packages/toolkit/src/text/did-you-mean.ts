import { editDistance } from "@foundry-mcp/contract/input";

/** The longest list of names that an answer spells out. */
export const mostNames = 10;

/** The names in the order of their likeness to what was written, nearest first. */
export function byLikeness(written: string, names: readonly string[]): readonly string[] {
  const plain = toPlain(written);
  const rank = (name: string) => (toPlain(name).startsWith(plain) ? 0.5 : editDistance(plain, toPlain(name)));
  return names
    .map((name) => ({ name, rank: rank(name) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ name }) => name);
}

/** The name that was probably meant, or undefined when none is near. */
export function nearest(written: string, names: readonly string[]): string | undefined {
  const [first] = byLikeness(written, names);
  if (first === undefined) return undefined;
  const far = editDistance(toPlain(written), toPlain(first));
  // As many changes as there are letters make any word of any other.
  const near = far <= Math.max(2, first.length / 3) && far < Math.max(written.length, first.length);
  return near || (written.length > 1 && toPlain(first).startsWith(toPlain(written))) ? first : undefined;
}

/** "Use one of get, list", with a guess in front where there is one. `whole` says where all are listed, if these are not all. */
export function suggest(written: string, names: readonly string[], whole?: string): string {
  const guess = nearest(written, names);
  if (names.length === 0) return "There is none to choose from.";
  const rest = whole === undefined || names.length <= mostNames ? "" : ` ${whole}`;
  return `${guess === undefined ? "" : `Did you mean ${guess}? `}Use one of: ${listNearest(written, names)}.${rest}`;
}

/** Lists the names that are nearest to what was written, and counts the others. */
export function listNearest(written: string, names: readonly string[]): string {
  const rest = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
  return `${byLikeness(written, names).slice(0, mostNames).join(", ")}${rest}`;
}

function toPlain(name: string): string {
  // What is far too long to be a name would only cost time to compare.
  return name.slice(0, 100).toLowerCase().replaceAll("-", "_");
}
