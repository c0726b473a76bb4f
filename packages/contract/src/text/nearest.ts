import { editDistance } from "./edit-distance.ts";

/** Sorts names by their similarity to the given text, most similar first. */
export function byLikeness(written: string, names: readonly string[]): readonly string[] {
  const plain = toPlain(written);
  const rank = (name: string) => (toPlain(name).startsWith(plain) ? 0.5 : editDistance(plain, toPlain(name)));
  return names
    .map((name) => ({ name, rank: rank(name) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ name }) => name);
}

/** Returns the name that the user probably meant, or undefined if no name is similar. */
export function nearest(written: string, names: readonly string[]): string | undefined {
  const [first] = byLikeness(written, names);
  if (first === undefined) return undefined;
  const far = editDistance(toPlain(written), toPlain(first));
  // Only names that differ in few letters count as similar, because every word has a nearest name.
  const near = far <= Math.max(2, first.length / 3) && far < Math.max(written.length, first.length);
  return near || (written.length > 1 && toPlain(first).startsWith(toPlain(written))) ? first : undefined;
}

function toPlain(name: string): string {
  // A text that is far too long to be a name is truncated, because comparing it would only cost time.
  return name.slice(0, 100).toLowerCase().replaceAll("-", "_");
}
