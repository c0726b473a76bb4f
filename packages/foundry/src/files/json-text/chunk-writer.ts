import type { Splice } from "./splice.ts";

const empty = Buffer.alloc(0);

/**
 * Collects the chunks of the new text and the splices between them. A chunk is either a range of the old text, which
 * is not copied, or new bytes.
 */
export class ChunkWriter {
  readonly #old: Buffer;
  readonly #chunks: Buffer[] = [];
  #start = 0;
  #end = 0;
  #added: Buffer[] = [];
  readonly #splices: Splice[] = [];
  /** The offset in the old text up to which all bytes were either kept or removed. */
  #consumed = 0;
  #inserted: Buffer = empty;
  /** The number of bytes written so far. */
  position = 0;

  constructor(old: Buffer) {
    this.#old = old;
  }

  put(source: Buffer, start: number, end: number): void {
    if (start === end) return;
    this.position += end - start;
    if (source !== this.#old) {
      this.#closeOld();
      this.#added.push(source.subarray(start, end));
    } else if (this.#added.length === 0 && start === this.#end) this.#end = end;
    else {
      this.#closeAdded();
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
    this.#closeAdded();
    this.#closeOld();
    this.#splice(this.#old.length);
    return { chunks: this.#chunks, splices: this.#splices };
  }

  #closeOld(): void {
    if (this.#start === this.#end) return;
    this.#splice(this.#start);
    this.#consumed = this.#end;
    this.#chunks.push(this.#old.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }

  #closeAdded(): void {
    if (this.#added.length === 0) return;
    this.#inserted = this.#added.length === 1 ? (this.#added[0] as Buffer) : Buffer.concat(this.#added);
    this.#chunks.push(this.#inserted);
    this.#added = [];
  }

  /** Records the splice between two kept ranges of the old text. */
  #splice(next: number): void {
    if (next > this.#consumed || this.#inserted.length > 0) {
      const removed = this.#old.subarray(this.#consumed, next);
      this.#splices.push({ at: this.#consumed, removed, inserted: this.#inserted });
    }
    this.#inserted = empty;
  }
}
