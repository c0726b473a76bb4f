/** Numbers for a few terms, to be asked for every word of a book: several times quicker than a Map. */
export class TermNumbers {
  readonly size: number;
  readonly #terms: Uint32Array;
  /** One more than the number; 0 where there is none. */
  readonly #numbers: Uint32Array;
  readonly #mask: number;

  constructor(terms: ReadonlySet<number>) {
    this.size = terms.size;
    const room = 2 ** Math.ceil(Math.log2(4 * (terms.size + 1)));
    this.#terms = new Uint32Array(room);
    this.#numbers = new Uint32Array(room);
    this.#mask = room - 1;
    let number = 0;
    for (const term of terms) {
      const place = this.#placeOf(term);
      this.#terms[place] = term;
      this.#numbers[place] = ++number;
    }
  }

  /** The number of a term, in the order they were given; -1 for others. */
  find(term: number): number {
    return (this.#numbers[this.#placeOf(term)] as number) - 1;
  }

  /** Where a term is, or has its place. */
  #placeOf(term: number): number {
    let place = (term ^ (term >>> 16)) & this.#mask;
    while (this.#numbers[place] !== 0 && this.#terms[place] !== term) place = (place + 1) & this.#mask;
    return place;
  }
}
