/** Every so many units the count is kept, so that no look takes long. */
const stride = 4_096;

/** Counts code points of a text: what quotes are located by, while strings count in UTF-16 units. */
export class CodePoints {
  readonly total: number;
  readonly #text: string;
  /** How many there are before each stretch; undefined where units and code points are the same. */
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

  /** How many code points stand before a place in UTF-16 units. */
  at(unit: number): number {
    if (this.#before === undefined) return unit;
    const stretch = Math.floor(unit / stride);
    return (this.#before[stretch] as number) + this.#count(stretch * stride, unit);
  }

  /** The second half of a pair is no code point of its own. */
  #count(from: number, to: number): number {
    let count = 0;
    for (let at = from; at < to; at++) {
      const code = this.#text.charCodeAt(at);
      const isSecond =
        code >= 0xdc00 && code <= 0xdfff && at > 0 && (this.#text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
      if (!isSecond) count++;
    }
    return count;
  }
}
