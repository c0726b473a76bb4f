import { createHash } from "node:crypto";

/** Keeps the beginning and the end of an output in limited memory, and hashes the whole output. */
export class BoundedOutput {
  readonly #maxBytes: number;
  readonly #hash = createHash("sha256");
  #head = Buffer.alloc(0);
  #headLength = 0;
  /** A ring buffer that contains the end of the output. */
  #tail = Buffer.alloc(0);
  #tailLength = 0;
  #bytes = 0;

  /** Keeps at most `maxBytes` bytes: half of them from the beginning and half from the end of the output. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The number of bytes written. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds the next chunk. */
  take(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
    const room = Math.ceil(this.#maxBytes / 2) - this.#headLength;
    if (room > 0) this.#addToHead(chunk.subarray(0, room));
    if (chunk.length > room) this.#addToTail(chunk.subarray(Math.max(0, room)));
  }

  /** Returns the hash of the whole output: `sha256:` and 64 hexadecimal digits. */
  toHash(): string {
    return `sha256:${this.#hash.copy().digest("hex")}`;
  }

  /** Returns the kept bytes. A line between the beginning and the end states how many bytes are missing. */
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

  /**
   * Adds bytes to the beginning. The size of the buffer is doubled when it is full, so that a short output
   * needs little memory.
   */
  #addToHead(chunk: Uint8Array): void {
    const needed = this.#headLength + chunk.length;
    if (needed > this.#head.length) {
      const grown = Buffer.alloc(Math.min(Math.ceil(this.#maxBytes / 2), Math.max(needed * 2, 4_096)));
      this.#head.copy(grown, 0, 0, this.#headLength);
      this.#head = grown;
    }
    this.#head.set(chunk, this.#headLength);
    this.#headLength = needed;
  }

  #addToTail(chunk: Uint8Array): void {
    const size = Math.max(1, Math.floor(this.#maxBytes / 2));
    if (this.#tail.length === 0) this.#tail = Buffer.alloc(size);
    // If a chunk is longer than the ring buffer, only the end of the chunk is kept.
    const last = chunk.subarray(Math.max(0, chunk.length - size));
    const start = (this.#tailLength + chunk.length - last.length) % size;
    const first = Math.min(last.length, size - start);
    this.#tail.set(last.subarray(0, first), start);
    this.#tail.set(last.subarray(first), 0);
    this.#tailLength += chunk.length;
  }
}
