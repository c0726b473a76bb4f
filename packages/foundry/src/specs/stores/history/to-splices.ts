import { type Splice, toSplice } from "../../../files/json-text/splice.ts";

/** Less than this is not looked into: what one splice takes is little enough. */
const little = 1_024;

/**
 * What leads from one text to another, as few bytes as can be told quickly: the lines that each of them has just once
 * hold them together, and what differs between two such lines is a splice.
 */
export function toSplices(before: Uint8Array, after: Uint8Array): readonly Splice[] {
  const whole = toSplice(before, after);
  if (whole.removed.length < little || whole.inserted.length < little) return isEmpty(whole) ? [] : [whole];
  const [old, fresh] = [linesOf(whole.removed), linesOf(whole.inserted)];
  const splices: Splice[] = [];
  let passed = { before: 0, after: 0 };
  const close = (endBefore: number, endAfter: number) => {
    const { at, removed, inserted } = toSplice(
      whole.removed.subarray(passed.before, endBefore),
      whole.inserted.subarray(passed.after, endAfter),
    );
    const splice = { at: whole.at + passed.before + at, removed, inserted };
    if (!isEmpty(splice)) splices.push(splice);
  };
  for (const [left, right] of inOrder(commonLines(old, fresh))) {
    close(old.starts[left] as number, fresh.starts[right] as number);
    passed = { before: old.starts[left + 1] as number, after: fresh.starts[right + 1] as number };
  }
  close(whole.removed.length, whole.inserted.length);
  return splices;
}

interface Lines {
  readonly texts: readonly string[];
  /** Where each begins, and where the last one ends. */
  readonly starts: readonly number[];
}

/** A text in lines; a comma ends one too, because JSON may stand on a single line. */
function linesOf(bytes: Uint8Array): Lines {
  // One character for each byte, so that offsets are the same.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const texts = text.match(/[^\n,]*[\n,]|[^\n,]+$/g) ?? [];
  const starts = [0];
  for (const line of texts) starts.push((starts.at(-1) as number) + line.length);
  return { texts, starts };
}

/** The places of the lines that both texts have, and each just once, in the order of the second. */
function commonLines(old: Lines, fresh: Lines): readonly (readonly [number, number])[] {
  const places = placesOf(old);
  return [...placesOf(fresh)].flatMap(([text, right]) => {
    const left = places.get(text) ?? -1;
    return left === -1 || right === -1 ? [] : [[left, right] as const];
  });
}

/** Where each line stands; -1 for one that comes again. */
function placesOf({ texts }: Lines): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [place, text] of texts.entries()) places.set(text, places.has(text) ? -1 : place);
  return places;
}

/** The most pairs that stand in the same order on both sides: the longest run that rises. */
function inOrder(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  // For each length the pair that ends a run of it with the lowest place, and the pair before it in that run.
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
