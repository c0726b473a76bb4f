/** One stretch of a text that was replaced by another. */
export interface Splice {
  /** Where it stood in the old text, in bytes. */
  readonly at: number;
  readonly removed: Uint8Array;
  readonly inserted: Uint8Array;
}

/** So many bytes are compared at once. */
const block = 4_096;

/** What leads from one text to another, as one splice: what is between their common head and their common tail. */
export function toSplice(before: Uint8Array, after: Uint8Array): Splice {
  const head = commonHead(before, after);
  const tail = commonTail(before, after, Math.min(before.length, after.length) - head);
  return {
    at: head,
    removed: before.subarray(head, before.length - tail),
    inserted: after.subarray(head, after.length - tail),
  };
}

/** The splices that lead back, with their places in the new text. */
export function toInverse(splices: readonly Splice[]): readonly Splice[] {
  let shift = 0;
  return splices.map(({ at, removed, inserted }) => {
    const back = { at: at + shift, removed: inserted, inserted: removed };
    shift += inserted.length - removed.length;
    return back;
  });
}

function commonHead(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head + block <= most && isSame(a, head, b, head)) head += block;
  while (head < most && a[head] === b[head]) head++;
  // A character is not cut in two, so that splices of text are text.
  for (let steps = 0; steps < 3 && head > 0 && (isInside(a[head]) || isInside(b[head])); steps++) head--;
  return head;
}

function commonTail(a: Uint8Array, b: Uint8Array, most: number): number {
  let tail = 0;
  while (tail + block <= most && isSame(a, a.length - tail - block, b, b.length - tail - block))
    tail += block;
  while (tail < most && a[a.length - tail - 1] === b[b.length - tail - 1]) tail++;
  for (let steps = 0; steps < 3 && tail > 0 && isInside(a[a.length - tail]); steps++) tail--;
  return tail;
}

function isSame(a: Uint8Array, from: number, b: Uint8Array, to: number): boolean {
  return Buffer.compare(a.subarray(from, from + block), b.subarray(to, to + block)) === 0;
}

/** True for a byte of a character in UTF-8 that is not its first. */
function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
