const pageSize = 1_024;

/**
 * A list of counts of which a changed copy shares all unchanged pages. Completing one task changes the counts of the task
 * and of its ancestors, and a spec may have 100,000 nodes.
 */
export class PagedCounts {
  readonly length: number;
  readonly #pages: readonly Uint32Array[];

  private constructor(length: number, pages: readonly Uint32Array[]) {
    this.length = length;
    this.#pages = pages;
  }

  static from(counts: Uint32Array): PagedCounts {
    const pages = Array.from({ length: Math.ceil(counts.length / pageSize) }, (_, page) =>
      counts.subarray(page * pageSize, (page + 1) * pageSize),
    );
    return new PagedCounts(counts.length, pages);
  }

  /** Returns the count at a position. */
  at(position: number): number {
    return this.#pages[Math.floor(position / pageSize)]?.[position % pageSize] ?? 0;
  }

  /** Returns all counts. */
  toArray(): Uint32Array {
    const counts = new Uint32Array(this.length);
    for (const [index, page] of this.#pages.entries()) counts.set(page, index * pageSize);
    return counts;
  }

  /** Returns a copy in which the counts at some positions are larger by the given steps. */
  plus(steps: ReadonlyMap<number, number>): PagedCounts {
    if (steps.size === 0) return this;
    const pages = [...this.#pages];
    for (const [position, step] of steps) {
      const index = Math.floor(position / pageSize);
      let page = pages[index];
      if (page === undefined) continue;
      if (page === this.#pages[index]) {
        page = page.slice();
        pages[index] = page;
      }
      const offset = position % pageSize;
      page[offset] = (page[offset] ?? 0) + step;
    }
    return new PagedCounts(this.length, pages);
  }
}
