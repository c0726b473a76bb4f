/** The differences between two texts. */
export interface LineDiff {
  readonly added: number;
  readonly removed: number;
  /** The hunks of a unified diff with three lines of context and without file headers. */
  readonly hunks: string;
}

type Step = "=" | "-" | "+";

const contextLines = 3;
/**
 * The maximum number of edits to search for. If two texts differ in more edits, the diff shows the whole text as
 * replaced.
 */
const maxEdits = 1_000;
/** The maximum number of comparisons of one diff. */
const maxWork = 20_000_000;

/**
 * Compares two texts line by line in bounded time. If the texts differ too much, the result is not the
 * smallest difference.
 */
export function diffLines(before: string, after: string): LineDiff {
  const [a, b] = [toLines(before), toLines(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  const shorter = Math.min(a.length, b.length) - start;
  while (end < shorter && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [from, to] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const steps = shortestSteps(from, to) ?? [...from.map((): Step => "-"), ...to.map((): Step => "+")];
  // A hunk shows only a few of the equal lines at the start and the end, so only these lines are kept.
  const [lead, trail] = [Math.min(start, contextLines), Math.min(end, contextLines)];
  const all: readonly Step[] = [...equal(lead), ...steps, ...equal(trail)];
  return {
    added: steps.filter((step) => step === "+").length,
    removed: steps.filter((step) => step === "-").length,
    hunks: toHunks(all, a, b, start - lead),
  };
}

/** Splits a text into lines with their line ends, so that a missing final line end counts as a difference. */
function toLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function equal(count: number): readonly Step[] {
  return Array.from({ length: count }, () => "=");
}

/**
 * Finds the shortest sequence of steps with the algorithm of Myers; undefined if the search would take too
 * long.
 */
function shortestSteps(a: readonly string[], b: readonly string[]): readonly Step[] | undefined {
  const size = a.length + b.length;
  const limit = Math.min(size, maxEdits, Math.ceil(maxWork / Math.max(1, size)));
  const offset = limit + 1;
  /** The furthest position in `a` on each diagonal. */
  const furthest = new Int32Array(2 * limit + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(furthest.slice(offset - edits - 1, offset + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOn(furthest, offset, diagonal, edits);
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      furthest[offset + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return backtrack(trace, a.length, b.length);
    }
  }
  return undefined;
}

/** True if the furthest path reaches a diagonal by an insertion, and not by a deletion. */
function isInsertion(furthest: Int32Array, offset: number, diagonal: number, edits: number): boolean {
  const below = furthest[offset + diagonal - 1] as number;
  const above = furthest[offset + diagonal + 1] as number;
  return diagonal === -edits || (diagonal !== edits && below < above);
}

function startOn(furthest: Int32Array, offset: number, diagonal: number, edits: number): number {
  return isInsertion(furthest, offset, diagonal, edits)
    ? (furthest[offset + diagonal + 1] as number)
    : (furthest[offset + diagonal - 1] as number) + 1;
}

function backtrack(trace: readonly Int32Array[], length: number, other: number): readonly Step[] {
  const steps: Step[] = [];
  let [x, y] = [length, other];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits] as Int32Array;
    const diagonal = x - y;
    const start = startOn(furthest, edits + 1, diagonal, edits);
    for (; x > start; x--, y--) steps.push("=");
    if (edits === 0) break;
    const inserts = isInsertion(furthest, edits + 1, diagonal, edits);
    steps.push(inserts ? "+" : "-");
    if (inserts) y -= 1;
    else x -= 1;
  }
  return steps.reverse();
}

/** Writes the hunks of a unified diff. `first` is the number of equal lines before the steps. */
function toHunks(steps: readonly Step[], a: readonly string[], b: readonly string[], first: number): string {
  const changes = steps.flatMap((step, at) => (step === "=" ? [] : [at]));
  const written: string[] = [];
  let [x, y, at] = [first, first, 0];
  const skipTo = (end: number) => {
    for (; at < end; at++) {
      if (steps[at] !== "+") x += 1;
      if (steps[at] !== "-") y += 1;
    }
  };
  for (let index = 0; index < changes.length; ) {
    let last = index;
    const isNear = () => (changes[last + 1] as number) - (changes[last] as number) <= 2 * contextLines + 1;
    while (last + 1 < changes.length && isNear()) last += 1;
    const from = Math.max(at, (changes[index] as number) - contextLines);
    const to = Math.min(steps.length, (changes[last] as number) + contextLines + 1);
    skipTo(from);
    const [oldStart, newStart] = [x, y];
    const lines = steps.slice(from, to).map((step, offset) => {
      const line = step === "+" ? b[y] : a[x];
      skipTo(from + offset + 1);
      return toLine(step, line as string);
    });
    written.push(`@@ -${toRange(oldStart, x)} +${toRange(newStart, y)} @@\n`, lines.join(""));
    index = last + 1;
  }
  return written.join("");
}

function toLine(step: Step, line: string): string {
  const mark = step === "=" ? " " : step;
  return line.endsWith("\n") ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`;
}

/** Formats a range of a unified diff. For an empty range, the number of the preceding line is written. */
function toRange(start: number, end: number): string {
  const count = end - start;
  return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
}
