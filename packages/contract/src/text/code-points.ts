/** Counts the Unicode code points of a text, like Python's `len`. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) {
      length -= 1;
      index += 1;
    }
  }
  return length;
}

/** Slices a text by code points, end exclusive, like Python's `text[start:end]` for 0 ≤ start ≤ end. */
export function sliceCodePoints(text: string, start: number, end: number): string {
  const from = toCodeUnit(text, start, 0);
  return text.slice(from, toCodeUnit(text, end - start, from));
}

/** Returns the index of the code unit that is `points` code points after `from`; at most the length of the text. */
function toCodeUnit(text: string, points: number, from: number): number {
  let index = from;
  for (let left = points; left > 0 && index < text.length; left--) {
    const isPair = isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1));
    index += isPair ? 2 : 1;
  }
  return index;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
