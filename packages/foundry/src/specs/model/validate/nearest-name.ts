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
    const far = distance(plain, toPlain(name), least);
    if (far > least || (far === least && best !== undefined)) continue;
    best = name;
    least = far;
  }
  return best;
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, "_");
}

/** How many letters must be changed, added, dropped or swapped to make one text of the other; more than `most` is not counted. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (above[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwapped) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      line.push(cost);
    }
    before = above;
    above = line;
  }
  return above[b.length] ?? 0;
}
