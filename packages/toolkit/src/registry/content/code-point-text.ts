const textStart = { point: 0, unit: 0 };

/** A text whose positions are counted in code points, as in the contract. */
export class CodePointText {
  readonly text: string;
  /** In code points. */
  readonly length: number;
  #lastPosition = textStart;

  constructor(text: string) {
    this.text = text;
    this.length = this.#countTo(text.length);
  }

  /** The code unit at a code point. */
  unitAt(point: number): number {
    if (point >= this.length) return this.text.length;
    if (this.#isUniform) return point;
    // Pages are read in order, so the last position is near.
    let { point: at, unit } = point >= this.#lastPosition.point ? this.#lastPosition : textStart;
    for (; at < point; at++) unit += this.#widthAt(unit);
    this.#lastPosition = { point, unit };
    return unit;
  }

  /** The number of code points between two code units. */
  countBetween(start: number, end: number): number {
    return this.#isUniform ? end - start : this.#countTo(end, start);
  }

  /** True where every code point is one unit, as in most texts: nothing need be counted. */
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
