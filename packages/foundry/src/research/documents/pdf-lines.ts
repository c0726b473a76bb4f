/** A piece of text and where it stands on a page. */
export interface TextPiece {
  readonly str: string;
  readonly dir: string;
  /** Turned and stretched by the first four, moved by the last two, upwards. */
  readonly transform: readonly number[];
  /** True for the last piece of a line. */
  readonly hasEOL: boolean;
}

/** A gap between lines that is so much larger than those of the page parts paragraphs. */
const wide = 1.35;

/** The text of a page: its lines, with an empty one where a larger gap parts them. */
export function joinLines(pieces: readonly TextPiece[]): string {
  const lines = toLines(pieces);
  const heights = lines.map((line) => line.find(({ str }) => str.trim() !== "")?.transform[5] ?? Number.NaN);
  const gaps = heights.map((height, at) => (heights[at - 1] ?? Number.NaN) - height);
  const usual = middleOf(gaps.filter((gap) => gap > 0));
  const parts = lines.map((line, at) => {
    const isApart = (gaps[at] ?? 0) > wide * usual;
    return `${isApart ? "\n" : ""}${orderLine(line)
      .map(({ str }) => str)
      .join("")}`;
  });
  return parts.join("\n");
}

function toLines(pieces: readonly TextPiece[]): TextPiece[][] {
  const lines: TextPiece[][] = [[]];
  for (const piece of pieces) {
    lines.at(-1)?.push(piece);
    if (piece.hasEOL) lines.push([]);
  }
  return lines;
}

function middleOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.POSITIVE_INFINITY;
}

/**
 * The pieces of a line as they are read. Each is in its order by itself, but they come as they stand on the page, from
 * left to right; a line of Arabic or Hebrew is read the other way, except for names and numbers of other scripts in it.
 */
function orderLine(line: readonly TextPiece[]): readonly TextPiece[] {
  const words = line.filter(({ str }) => /[\p{L}\p{N}]/u.test(str));
  const leftwards = words.filter(isLeftwards).length;
  const isTurned = line.some(({ transform }) => transform[1] !== 0);
  if (leftwards === 0 || leftwards < words.length - leftwards || isTurned) return line;
  const placed = line.toSorted((a, b) => (b.transform[4] ?? 0) - (a.transform[4] ?? 0));
  const ordered: TextPiece[] = [];
  let run: TextPiece[] = [];
  for (const piece of placed) {
    if (!isLeftwards(piece)) run.push(piece);
    else {
      ordered.push(...turnBack(run), piece);
      run = [];
    }
  }
  return [...ordered, ...turnBack(run)];
}

function isLeftwards({ dir }: TextPiece): boolean {
  return dir === "rtl";
}

/** What is read from left to right, within what is not; the spaces around it stay where they are. */
function turnBack(run: readonly TextPiece[]): readonly TextPiece[] {
  const isWord = ({ str }: TextPiece) => str.trim() !== "";
  const [first, last] = [run.findIndex(isWord), run.findLastIndex(isWord)];
  if (first === last) return run;
  return [...run.slice(0, first), ...run.slice(first, last + 1).toReversed(), ...run.slice(last + 1)];
}
