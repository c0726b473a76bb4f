const newline = 0x0a;
const carriageReturn = 0x0d;

/** Splits a stream of bytes into lines, and buffers an incomplete line. */
export class LineReader {
  #parts: Buffer[] = [];
  #size = 0;
  readonly #maxBytes: number;

  /** `maxBytes` is the maximum length of a line. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Passes on every line that this chunk completes; throws where one is too long. */
  read(chunk: Buffer, onLine: (line: string) => void): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#requireRoom(end - start);
      onLine(this.#complete(chunk, start, end));
      start = end + 1;
    }
    if (start === chunk.length) return;
    this.#requireRoom(chunk.length - start);
    // Concatenated when the line is complete: doing so for every chunk would be quadratic.
    this.#parts.push(start === 0 ? chunk : chunk.subarray(start));
    this.#size += chunk.length - start;
  }

  #complete(chunk: Buffer, start: number, end: number): string {
    if (this.#size === 0) return toText(chunk, start, end);
    const whole = Buffer.concat([...this.#parts, chunk.subarray(start, end)]);
    this.#parts = [];
    this.#size = 0;
    return toText(whole, 0, whole.length);
  }

  #requireRoom(more: number): void {
    if (this.#size + more <= this.#maxBytes) return;
    this.#parts = [];
    this.#size = 0;
    throw new Error(`A line is longer than ${this.#maxBytes.toLocaleString("en")} bytes`);
  }
}

function toText(bytes: Buffer, start: number, end: number): string {
  const hasCarriageReturn = end > start && bytes[end - 1] === carriageReturn;
  return bytes.toString("utf8", start, hasCarriageReturn ? end - 1 : end);
}
