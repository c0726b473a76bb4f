import { editDistance } from "@foundry-mcp/contract/input";

const longest = 40;

/**
 * Returns the name that the caller probably meant; undefined if no name is similar. At most one letter in
 * three and at most `most` letters may differ. Case is ignored; blanks, hyphens and underscores are equal.
 */
export function nearestName<T extends string>(
  written: string,
  names: readonly T[],
  most = longest,
): T | undefined {
  // A text that is much longer than any name is not compared, because the comparison would only take time.
  if (written.length > longest) return undefined;
  const plain = toPlain(written);
  if (plain.length < 2) return undefined;
  let best: T | undefined;
  let least = Math.min(most, Math.floor(plain.length / 3));
  for (const name of names) {
    const far = editDistance(plain, toPlain(name), least);
    if (far > least || (far === least && best !== undefined)) continue;
    best = name;
    least = far;
  }
  return best;
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, "_");
}
