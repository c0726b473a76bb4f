import { createHash } from "node:crypto";

/**
 * What a program writes, as far as it is kept: all of it, or its beginning and its end. The room that it takes is
 * bounded however it comes: one byte at a time, or without an end.
 */
export class KeptOutput {
  readonly #most: number;
  readonly #hash = createHash("sha256");
  #head = Buffer.alloc(0);
  #headLength = 0;
  /** A ring: the oldest byte of it is the next to be written over. */
  #tail = Buffer.alloc(0);
  #tailLength = 0;
  #bytes = 0;

  /** Keeps at most so many bytes: a half of them from the beginning, a half from the end. */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many bytes came. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes the next piece. */
  take(piece: Uint8Array): void {
    this.#bytes += piece.length;
    this.#hash.update(piece);
    const room = Math.ceil(this.#most / 2) - this.#headLength;
    if (room > 0) this.#addToHead(piece.subarray(0, room));
    if (piece.length > room) this.#addToTail(piece.subarray(Math.max(0, room)));
  }

  /** Ends the hash over everything that came: `sha256:` and 64 hex digits. */
  toHash(): string {
    return `sha256:${this.#hash.copy().digest("hex")}`;
  }

  /** What is kept; between beginning and end a line says how much is missing. */
  toBytes(): Uint8Array {
    const head = this.#head.subarray(0, this.#headLength);
    const size = this.#tail.length;
    if (this.#tailLength <= size)
      return Buffer.concat([head, this.#tail.subarray(0, Math.min(this.#tailLength, size))]);
    const start = this.#tailLength % size;
    const missing = this.#tailLength - size;
    return Buffer.concat([
      head,
      Buffer.from(`\n[${missing} bytes are left out here]\n`),
      this.#tail.subarray(start),
      this.#tail.subarray(0, start),
    ]);
  }

  /** Doubles where it must grow, so that a short output costs little. */
  #addToHead(piece: Uint8Array): void {
    const needed = this.#headLength + piece.length;
    if (needed > this.#head.length) {
      const grown = Buffer.alloc(Math.min(Math.ceil(this.#most / 2), Math.max(needed * 2, 4_096)));
      this.#head.copy(grown, 0, 0, this.#headLength);
      this.#head = grown;
    }
    this.#head.set(piece, this.#headLength);
    this.#headLength = needed;
  }

  #addToTail(piece: Uint8Array): void {
    const size = Math.max(1, Math.floor(this.#most / 2));
    if (this.#tail.length === 0) this.#tail = Buffer.alloc(size);
    // Of a piece that is longer than the ring only the end will be left.
    const last = piece.subarray(Math.max(0, piece.length - size));
    const start = (this.#tailLength + piece.length - last.length) % size;
    const first = Math.min(last.length, size - start);
    this.#tail.set(last.subarray(0, first), start);
    this.#tail.set(last.subarray(first), 0);
    this.#tailLength += piece.length;
  }
}
