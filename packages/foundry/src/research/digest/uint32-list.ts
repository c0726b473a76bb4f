/** A growing list of unsigned 32-bit numbers, which takes half the memory of an array of numbers. */
export class Uint32List {
  #buffer: Uint32Array;
  #length = 0;

  /**
   * Creates a list. An exact capacity avoids copies, and pages of the buffer that are never written take no memory.
   */
  constructor(capacity = 64) {
    this.#buffer = new Uint32Array(Math.max(capacity, 64));
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#buffer.length) this.#grow();
    this.#buffer[this.#length++] = value;
  }

  /** Returns all numbers, without a copy. */
  toArray(): Uint32Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(): void {
    const grown = new Uint32Array(Math.ceil(this.#buffer.length * 1.5));
    grown.set(this.#buffer);
    this.#buffer = grown;
  }
}
