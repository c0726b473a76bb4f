const textStart = { point: 0, unit: 0 };

/** A text whose places are told in code points, as the contract counts them. */
export class CodePointText {
  readonly text: string;
  /** In code points. */
  readonly length: number;
  #mark = textStart;

  constructor(text: string) {
    this.text = text;
    this.length = this.#countTo(text.length);
  }

  /** The code unit at which so many code points end. */
  unitAt(point: number): number {
    if (point >= this.length) return this.text.length;
    if (this.#isPlain) return point;
    // Pages are asked for one after the other: where the last one was looked for is near.
    let { point: at, unit } = point >= this.#mark.point ? this.#mark : textStart;
    for (; at < point; at++) unit += this.#widthAt(unit);
    this.#mark = { point, unit };
    return unit;
  }

  /** How many code points lie between two code units. */
  countBetween(start: number, end: number): number {
    return this.#isPlain ? end - start : this.#countTo(end, start);
  }

  /** Most texts have a unit for every code point: nothing need be counted. */
  get #isPlain(): boolean {
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
