const newline = 0x0a;
const carriageReturn = 0x0d;

/** Cuts a stream of bytes into lines, and keeps what is not yet a line. */
export class LineReader {
  #parts: Buffer[] = [];
  #size = 0;
  readonly #longest: number;

  /** `longest`: how many bytes one line may have. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Gives every line that this chunk completes; throws where one grows too long. */
  read(chunk: Buffer, take: (line: string) => void): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#guard(end - start);
      take(this.#complete(chunk, start, end));
      start = end + 1;
    }
    if (start === chunk.length) return;
    this.#guard(chunk.length - start);
    // Put together when the line is whole: joining on every chunk would cost the square of its length.
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

  #guard(more: number): void {
    if (this.#size + more <= this.#longest) return;
    this.#parts = [];
    this.#size = 0;
    throw new Error(`A line is longer than ${this.#longest.toLocaleString("en")} bytes`);
  }
}

function toText(bytes: Buffer, start: number, end: number): string {
  const isTrailed = end > start && bytes[end - 1] === carriageReturn;
  return bytes.toString("utf8", start, isTrailed ? end - 1 : end);
}
