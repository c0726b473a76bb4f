import { editDistance } from "@foundry-mcp/contract/input";

const longest = 40;

/**
 * The name that was probably meant, or undefined where none is near: at most one change in three letters,
 * and no more than `most`. Case, blanks, hyphens and underscores make no difference.
 */
export function nearestName<T extends string>(
  written: string,
  names: readonly T[],
  most = longest,
): T | undefined {
  // What is far too long to be a name would only cost time to compare.
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
