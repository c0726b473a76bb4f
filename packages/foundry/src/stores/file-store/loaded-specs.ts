import type { FileStat } from "../durable/file-system.ts";
import type { SpecFile } from "../spec-file.ts";
import type { SpecSnapshot } from "../spec-store.ts";
import type { SpecPlace } from "./spec-folders.ts";

/** A spec that was read, and the file that it was read from. */
export interface Loaded {
  readonly place: SpecPlace;
  readonly stat: FileStat;
  readonly file: SpecFile;
  readonly snapshot: SpecSnapshot;
  readonly counter: number;
}

/** So many bytes of specs are kept in memory between calls. */
const mostKept = 192 * 2 ** 20;

/** The specs that were used last. */
export class LoadedSpecs {
  /** In the order of use, the last used last. */
  readonly #loaded = new Map<string, Loaded>();

  get(id: string): Loaded | undefined {
    return this.#loaded.get(id);
  }

  /** Remembers a spec as the one that was used last. */
  use(loaded: Loaded): Loaded {
    const { id } = loaded.place;
    this.#loaded.delete(id);
    this.#loaded.set(id, loaded);
    this.#forgetOldest();
    return loaded;
  }

  delete(id: string): void {
    this.#loaded.delete(id);
  }

  clear(): void {
    this.#loaded.clear();
  }

  #forgetOldest(): void {
    let kept = 0;
    for (const { file } of this.#loaded.values()) kept += file.bytes.length;
    for (const [id, { file }] of this.#loaded) {
      if (kept <= mostKept || this.#loaded.size === 1) return;
      kept -= file.bytes.length;
      this.#loaded.delete(id);
    }
  }
}
