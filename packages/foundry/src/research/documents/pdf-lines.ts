/** A text item of pdf.js, with its position on the page. */
export interface PositionedText {
  readonly str: string;
  readonly dir: string;
  /**
   * The transformation matrix. The first four numbers are rotation and scale, and the last two numbers are x and y
   * (upwards).
   */
  readonly transform: readonly number[];
  /** True for the last item of a line. */
  readonly hasEOL: boolean;
}

/** The line gap that separates paragraphs, as a multiple of the median gap of the page. */
const paragraphGap = 1.35;

/** Joins the text items of a page to lines, with an empty line between paragraphs. */
export function joinLines(items: readonly PositionedText[]): string {
  const lines = toLines(items);
  const heights = lines.map((line) => line.find(({ str }) => str.trim() !== "")?.transform[5] ?? Number.NaN);
  const gaps = heights.map((height, at) => (heights[at - 1] ?? Number.NaN) - height);
  const medianGap = medianOf(gaps.filter((gap) => gap > 0));
  const parts = lines.map((line, at) => {
    const startsParagraph = (gaps[at] ?? 0) > paragraphGap * medianGap;
    return `${startsParagraph ? "\n" : ""}${orderLine(line)
      .map(({ str }) => str)
      .join("")}`;
  });
  return parts.join("\n");
}

function toLines(items: readonly PositionedText[]): PositionedText[][] {
  const lines: PositionedText[][] = [[]];
  for (const item of items) {
    lines.at(-1)?.push(item);
    if (item.hasEOL) lines.push([]);
  }
  return lines;
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.POSITIVE_INFINITY;
}

/**
 * Sorts the items of a line in reading order. pdf.js returns items from left to right. A line that is mostly Arabic
 * or Hebrew is read from right to left, except for runs of other scripts and numbers within the line.
 */
function orderLine(line: readonly PositionedText[]): readonly PositionedText[] {
  const words = line.filter(({ str }) => /[\p{L}\p{N}]/u.test(str));
  const rightToLeft = words.filter(isRightToLeft).length;
  const isRotated = line.some(({ transform }) => transform[1] !== 0);
  if (rightToLeft === 0 || rightToLeft < words.length - rightToLeft || isRotated) return line;
  const byPosition = line.toSorted((a, b) => (b.transform[4] ?? 0) - (a.transform[4] ?? 0));
  const ordered: PositionedText[] = [];
  let run: PositionedText[] = [];
  for (const item of byPosition) {
    if (!isRightToLeft(item)) run.push(item);
    else {
      ordered.push(...reverseRun(run), item);
      run = [];
    }
  }
  return [...ordered, ...reverseRun(run)];
}

function isRightToLeft({ dir }: PositionedText): boolean {
  return dir === "rtl";
}

/** Reverses a left-to-right run within a right-to-left line. The spaces around the run stay in place. */
function reverseRun(run: readonly PositionedText[]): readonly PositionedText[] {
  const isWord = ({ str }: PositionedText) => str.trim() !== "";
  const [first, last] = [run.findIndex(isWord), run.findLastIndex(isWord)];
  if (first === last) return run;
  return [...run.slice(0, first), ...run.slice(first, last + 1).toReversed(), ...run.slice(last + 1)];
}
