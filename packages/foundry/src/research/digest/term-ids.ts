/**
 * A hash table with open addressing that gives a small set of terms consecutive ids. Every word of a book is looked up,
 * and this table is several times faster than a Map.
 */
export class TermIds {
  readonly size: number;
  readonly #terms: Uint32Array;
  /** The id plus one. The value 0 marks a free slot. */
  readonly #ids: Uint32Array;
  readonly #mask: number;

  constructor(terms: ReadonlySet<number>) {
    this.size = terms.size;
    const slots = 2 ** Math.ceil(Math.log2(4 * (terms.size + 1)));
    this.#terms = new Uint32Array(slots);
    this.#ids = new Uint32Array(slots);
    this.#mask = slots - 1;
    let id = 0;
    for (const term of terms) {
      const slot = this.#slotOf(term);
      this.#terms[slot] = term;
      this.#ids[slot] = ++id;
    }
  }

  /** Returns the id of a term, or -1 for an unknown term. Ids are in the order in which the terms were added. */
  idOf(term: number): number {
    return (this.#ids[this.#slotOf(term)] as number) - 1;
  }

  /** Returns the slot that contains a term, or the free slot in which it would be inserted. */
  #slotOf(term: number): number {
    let slot = (term ^ (term >>> 16)) & this.#mask;
    while (this.#ids[slot] !== 0 && this.#terms[slot] !== term) slot = (slot + 1) & this.#mask;
    return slot;
  }
}
