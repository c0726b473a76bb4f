/** Numbers up to 2³² that become more: a book has a million sentences, and an array of numbers takes twice as much. */
export class NumberList {
  #room: Uint32Array;
  #length = 0;

  /** Room for so many at first: where that is enough nothing is copied, and what is not written to takes no memory. */
  constructor(room = 64) {
    this.#room = new Uint32Array(Math.max(room, 64));
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#room.length) this.#grow();
    this.#room[this.#length++] = value;
  }

  /** All of them, without a copy. */
  toArray(): Uint32Array {
    return this.#room.subarray(0, this.#length);
  }

  #grow(): void {
    const more = new Uint32Array(Math.ceil(this.#room.length * 1.5));
    more.set(this.#room);
    this.#room = more;
  }
}
