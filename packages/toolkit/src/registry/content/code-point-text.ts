const textStart = { point: 0, unit: 0 };

/** A text whose positions are counted in code points, as in the contract. */
export class CodePointText {
  readonly text: string;
  /** The length in code points. */
  readonly length: number;
  #lastPosition = textStart;

  constructor(text: string) {
    this.text = text;
    this.length = this.#countTo(text.length);
  }

  /** Returns the index of the code unit at a code point. */
  unitAt(point: number): number {
    if (point >= this.length) return this.text.length;
    if (this.#isUniform) return point;
    // The search starts at the last position, because pages are read in order and the next position is near.
    let { point: at, unit } = point >= this.#lastPosition.point ? this.#lastPosition : textStart;
    for (; at < point; at++) unit += this.#widthAt(unit);
    this.#lastPosition = { point, unit };
    return unit;
  }

  /** Returns the number of code points between two code units. */
  countBetween(start: number, end: number): number {
    return this.#isUniform ? end - start : this.#countTo(end, start);
  }

  /**
   * True if every code point of the text is one code unit, as in most texts. Positions in code points and in
   * code units are then equal, and no counting is needed.
   */
  get #isUniform(): boolean {
    return this.length === this.text.length;
  }

  #countTo(end: number, start = 0): number {
    let points = 0;
    for (let unit = start; unit < end; unit += this.#widthAt(unit)) points++;
    return points;
  }

  #widthAt(unit: number): 1 | 2 {
    const isHigh = (this.text.charCodeAt(unit) & 0xfc00) === 0xd800;
    return isHigh && (this.text.charCodeAt(unit + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
  }
}
