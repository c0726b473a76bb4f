import { type Splice, toSplice } from "../../../files/json-text/splice.ts";

/** The size in bytes below which a difference is stored as one splice. */
const minDiffBytes = 1_024;

/**
 * Compares two texts in the manner of patience diff. Lines that occur exactly once in each text are matched,
 * and the differences between matched lines become splices.
 */
export function toSplices(before: Uint8Array, after: Uint8Array): readonly Splice[] {
  const whole = toSplice(before, after);
  if (whole.removed.length < minDiffBytes || whole.inserted.length < minDiffBytes)
    return isEmpty(whole) ? [] : [whole];
  const [old, fresh] = [linesOf(whole.removed), linesOf(whole.inserted)];
  const splices: Splice[] = [];
  let matched = { before: 0, after: 0 };
  const close = (endBefore: number, endAfter: number) => {
    const { at, removed, inserted } = toSplice(
      whole.removed.subarray(matched.before, endBefore),
      whole.inserted.subarray(matched.after, endAfter),
    );
    const splice = { at: whole.at + matched.before + at, removed, inserted };
    if (!isEmpty(splice)) splices.push(splice);
  };
  for (const [left, right] of longestIncreasing(commonLines(old, fresh))) {
    close(old.starts[left] as number, fresh.starts[right] as number);
    matched = { before: old.starts[left + 1] as number, after: fresh.starts[right + 1] as number };
  }
  close(whole.removed.length, whole.inserted.length);
  return splices;
}

interface Lines {
  readonly texts: readonly string[];
  /** The start offset of each line, and the end of the last line. */
  readonly starts: readonly number[];
}

/** Splits a text into lines. A comma also ends a line, because JSON may be on a single line. */
function linesOf(bytes: Uint8Array): Lines {
  // The encoding latin1 has one character per byte, so that string offsets are byte offsets.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const texts = text.match(/[^\n,]*[\n,]|[^\n,]+$/g) ?? [];
  const starts = [0];
  for (const line of texts) starts.push((starts.at(-1) as number) + line.length);
  return { texts, starts };
}

/**
 * Returns the index pairs of lines that occur exactly once in both texts, in the order of the second text.
 */
function commonLines(old: Lines, fresh: Lines): readonly (readonly [number, number])[] {
  const indexes = indexesOf(old);
  return [...indexesOf(fresh)].flatMap(([text, right]) => {
    const left = indexes.get(text) ?? -1;
    return left === -1 || right === -1 ? [] : [[left, right] as const];
  });
}

/** Returns the index of each line; -1 for a repeated line. */
function indexesOf({ texts }: Lines): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>();
  for (const [index, text] of texts.entries()) indexes.set(text, indexes.has(text) ? -1 : index);
  return indexes;
}

/**
 * Returns the longest increasing subsequence of pairs. The result contains only pairs that are in the same
 * order on both sides.
 */
function longestIncreasing(
  pairs: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  // For each length, `ends` contains the pair that ends a subsequence of this length at the lowest index.
  // `before` contains the predecessors of the pairs.
  const ends: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  const leftOf = (index: number) => (pairs[index] as readonly [number, number])[0];
  for (const [index, [left]] of pairs.entries()) {
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (leftOf(ends[middle] as number) < left) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = ends[low - 1] as number;
    ends[low] = index;
  }
  const run: (readonly [number, number])[] = [];
  for (let index = ends.at(-1) ?? -1; index !== -1; index = before[index] as number)
    run.push(pairs[index] as readonly [number, number]);
  return run.reverse();
}

function isEmpty({ removed, inserted }: Splice): boolean {
  return removed.length === 0 && inserted.length === 0;
}
