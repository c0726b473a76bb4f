/** The replacement of one byte range of a text. */
export interface Splice {
  /** The byte offset in the old text. */
  readonly at: number;
  readonly removed: Uint8Array;
  readonly inserted: Uint8Array;
}

/** The number of bytes compared at once. */
const block = 4_096;

/**
 * Returns the single splice that turns one text into another. The splice replaces the bytes between their common
 * prefix and suffix.
 */
export function toSplice(before: Uint8Array, after: Uint8Array): Splice {
  const head = commonPrefix(before, after);
  const tail = commonSuffix(before, after, Math.min(before.length, after.length) - head);
  return {
    at: head,
    removed: before.subarray(head, before.length - tail),
    inserted: after.subarray(head, after.length - tail),
  };
}

/** Returns the splices that turn the new text back into the old text. */
export function toInverse(splices: readonly Splice[]): readonly Splice[] {
  let shift = 0;
  return splices.map(({ at, removed, inserted }) => {
    const back = { at: at + shift, removed: inserted, inserted: removed };
    shift += inserted.length - removed.length;
    return back;
  });
}

function commonPrefix(a: Uint8Array, b: Uint8Array): number {
  const max = Math.min(a.length, b.length);
  let head = 0;
  while (head + block <= max && isSame(a, head, b, head)) head += block;
  while (head < max && a[head] === b[head]) head++;
  // Splices begin and end at character boundaries, so that they can be stored as text.
  for (let steps = 0; steps < 3 && head > 0 && (isContinuation(a[head]) || isContinuation(b[head])); steps++)
    head--;
  return head;
}

function commonSuffix(a: Uint8Array, b: Uint8Array, max: number): number {
  let tail = 0;
  while (tail + block <= max && isSame(a, a.length - tail - block, b, b.length - tail - block)) tail += block;
  while (tail < max && a[a.length - tail - 1] === b[b.length - tail - 1]) tail++;
  for (let steps = 0; steps < 3 && tail > 0 && isContinuation(a[a.length - tail]); steps++) tail--;
  return tail;
}

function isSame(a: Uint8Array, from: number, b: Uint8Array, to: number): boolean {
  return Buffer.compare(a.subarray(from, from + block), b.subarray(to, to + block)) === 0;
}

/** True for a UTF-8 continuation byte. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
