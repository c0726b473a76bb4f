/** The maximum number of bytes of cached specs. */
const maxBytes = 192 * 2 ** 20;

/** A least-recently-used cache of specs by id. Callers must check whether a cached spec is still current. */
export class SpecCache<T> {
  /** The cached specs in the order of use; the most recently used spec is the last. */
  readonly #specs = new Map<string, T>();
  readonly #sizeOf: (spec: T) => number;

  constructor(sizeOf: (spec: T) => number) {
    this.#sizeOf = sizeOf;
  }

  get(id: string): T | undefined {
    return this.#specs.get(id);
  }

  /** Stores a spec as the most recently used spec, and returns the spec. */
  set(id: string, spec: T): T {
    this.#specs.delete(id);
    this.#specs.set(id, spec);
    this.#evict();
    return spec;
  }

  delete(id: string): void {
    this.#specs.delete(id);
  }

  clear(): void {
    this.#specs.clear();
  }

  #evict(): void {
    let total = 0;
    for (const spec of this.#specs.values()) total += this.#sizeOf(spec);
    for (const [id, spec] of this.#specs) {
      if (total <= maxBytes || this.#specs.size === 1) return;
      total -= this.#sizeOf(spec);
      this.#specs.delete(id);
    }
  }
}
