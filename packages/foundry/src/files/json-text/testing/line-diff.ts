/** Returns the lines of a text, with any kind of line ending. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Returns the lines between the common beginning and the common end of two texts. */
export function lineDiff(before: string, after: string): { removed: string[]; added: string[] } {
  const old = linesOf(before);
  const fresh = linesOf(after);
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  return { removed: old.slice(head, old.length - tail), added: fresh.slice(head, fresh.length - tail) };
}
