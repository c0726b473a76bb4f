import { formatLocator } from "@foundry-mcp/contract/digest";

/** The number of UTF-16 units between two stored counts. A conversion reads at most this many units. */
const stride = 4_096;

/** Converts UTF-16 offsets of a text to code points, the unit of locators. */
export class CodePointOffsets {
  /** The length of the text in code points. */
  readonly total: number;
  readonly #text: string;
  /**
   * The number of code points before each stride. Undefined if the text has no surrogate pairs, because then UTF-16
   * units and code points are the same.
   */
  readonly #before: Uint32Array | undefined;

  constructor(text: string) {
    this.#text = text;
    if (!/[\ud800-\udbff]/.test(text)) {
      this.total = text.length;
      return;
    }
    const before = new Uint32Array(Math.ceil(text.length / stride) + 1);
    for (let at = 0; at < before.length - 1; at++)
      before[at + 1] =
        (before[at] as number) + this.#count(at * stride, Math.min(text.length, (at + 1) * stride));
    this.#before = before;
    this.total = before[before.length - 1] as number;
  }

  /** Returns the number of code points before a UTF-16 offset. */
  toCodePoints(unit: number): number {
    if (this.#before === undefined) return unit;
    const index = Math.floor(unit / stride);
    return (this.#before[index] as number) + this.#count(index * stride, unit);
  }

  /** Returns the locator of a span in UTF-16 units. `pages` are the offsets at which pages begin. */
  toLocator(start: number, end: number, pages?: readonly number[] | undefined): string {
    const page = pages && pages.findLastIndex((first) => first <= start) + 1;
    return formatLocator({
      start: this.toCodePoints(start),
      end: this.toCodePoints(end),
      ...(page ? { page } : {}),
    });
  }

  #count(from: number, to: number): number {
    let count = 0;
    for (let at = from; at < to; at++) {
      const code = this.#text.charCodeAt(at);
      const isLowSurrogate =
        code >= 0xdc00 && code <= 0xdfff && at > 0 && (this.#text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
      if (!isLowSurrogate) count++;
    }
    return count;
  }
}
