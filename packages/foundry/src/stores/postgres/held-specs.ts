import type { HeldSpec } from "./held-spec.ts";

/** So many bytes of specs are kept in memory between calls. */
const mostKept = 192 * 2 ** 20;

/** The specs that were used last. Whether they are still the same, the database is asked each time. */
export class HeldSpecs {
  /** In the order of use, the last used last. */
  readonly #held = new Map<string, HeldSpec>();

  get(id: string): HeldSpec | undefined {
    return this.#held.get(id);
  }

  /** Remembers a spec as the one that was used last. */
  keep(held: HeldSpec): HeldSpec {
    const { id } = held.snapshot;
    this.#held.delete(id);
    this.#held.set(id, held);
    this.#forgetOldest();
    return held;
  }

  delete(id: string): void {
    this.#held.delete(id);
  }

  clear(): void {
    this.#held.clear();
  }

  #forgetOldest(): void {
    let kept = 0;
    for (const { bytes } of this.#held.values()) kept += bytes;
    for (const [id, { bytes }] of this.#held) {
      if (kept <= mostKept || this.#held.size === 1) return;
      kept -= bytes;
      this.#held.delete(id);
    }
  }
}
