/** Collects the new text: stretches of the old one, which are not copied, and new bytes. */
export class PieceWriter {
  readonly #old: Buffer;
  readonly #pieces: Buffer[] = [];
  #start = 0;
  #end = 0;
  #fresh: Buffer[] = [];
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

  finish(): readonly Uint8Array[] {
    this.#closeFresh();
    this.#closeOld();
    return this.#pieces;
  }

  #closeOld(): void {
    if (this.#start === this.#end) return;
    this.#pieces.push(this.#old.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }

  #closeFresh(): void {
    if (this.#fresh.length === 0) return;
    this.#pieces.push(this.#fresh.length === 1 ? (this.#fresh[0] as Buffer) : Buffer.concat(this.#fresh));
    this.#fresh = [];
  }
}
