import type { Splice } from "./splice.ts";

const nothing = Buffer.alloc(0);

/** Collects the new text: stretches of the old one, which are not copied, and new bytes. */
export class ChunkWriter {
  readonly #old: Buffer;
  readonly #chunks: Buffer[] = [];
  #start = 0;
  #end = 0;
  #fresh: Buffer[] = [];
  readonly #splices: Splice[] = [];
  /** How much of the old text is in the chunks or gone. */
  #passed = 0;
  #inserted: Buffer = nothing;
  /** How many bytes there are so far. */
  position = 0;

  constructor(old: Buffer) {
    this.#old = old;
  }

  put(source: Buffer, start: number, end: number): void {
    if (start === end) return;
    this.position += end - start;
    if (source !== this.#old) {
      this.#closeOld();
      this.#fresh.push(source.subarray(start, end));
    } else if (this.#fresh.length === 0 && start === this.#end) this.#end = end;
    else {
      this.#closeFresh();
      this.#closeOld();
      this.#start = start;
      this.#end = end;
    }
  }

  putText(text: string): void {
    const bytes = Buffer.from(text);
    this.put(bytes, 0, bytes.length);
  }

  finish(): { readonly chunks: readonly Uint8Array[]; readonly splices: readonly Splice[] } {
    this.#closeFresh();
    this.#closeOld();
    this.#splice(this.#old.length);
    return { chunks: this.#chunks, splices: this.#splices };
  }

  #closeOld(): void {
    if (this.#start === this.#end) return;
    this.#splice(this.#start);
    this.#passed = this.#end;
    this.#chunks.push(this.#old.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }

  #closeFresh(): void {
    if (this.#fresh.length === 0) return;
    this.#inserted = this.#fresh.length === 1 ? (this.#fresh[0] as Buffer) : Buffer.concat(this.#fresh);
    this.#chunks.push(this.#inserted);
    this.#fresh = [];
  }

  /** What stands between two stretches of the old text is new; what stood there is gone. */
  #splice(next: number): void {
    if (next > this.#passed || this.#inserted.length > 0) {
      const removed = this.#old.subarray(this.#passed, next);
      this.#splices.push({ at: this.#passed, removed, inserted: this.#inserted });
    }
    this.#inserted = nothing;
  }
}
