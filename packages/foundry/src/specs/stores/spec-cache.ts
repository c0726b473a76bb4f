/** So many bytes of specs are kept in memory between calls. */
const mostKept = 192 * 2 ** 20;

/** The specs that were used last, by their ids. Whether they are still the same, whoever asks for them has to look. */
export class SpecCache<T> {
  /** In the order of use, the last used last. */
  readonly #specs = new Map<string, T>();
  readonly #sizeOf: (spec: T) => number;

  constructor(sizeOf: (spec: T) => number) {
    this.#sizeOf = sizeOf;
  }

  get(id: string): T | undefined {
    return this.#specs.get(id);
  }

  /** Remembers a spec as the one that was used last. */
  set(id: string, spec: T): T {
    this.#specs.delete(id);
    this.#specs.set(id, spec);
    this.#forgetOldest();
    return spec;
  }

  delete(id: string): void {
    this.#specs.delete(id);
  }

  clear(): void {
    this.#specs.clear();
  }

  #forgetOldest(): void {
    let kept = 0;
    for (const spec of this.#specs.values()) kept += this.#sizeOf(spec);
    for (const [id, spec] of this.#specs) {
      if (kept <= mostKept || this.#specs.size === 1) return;
      kept -= this.#sizeOf(spec);
      this.#specs.delete(id);
    }
  }
}
