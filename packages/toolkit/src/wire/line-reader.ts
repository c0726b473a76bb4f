import { isUtf8 } from "node:buffer";

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Receives the lines of a stream. */
export interface LineHandler {
  /**
   * Called with every line, without its line break and byte order mark; `isText` is false for bytes that are not valid
   * UTF-8.
   */
  line(text: string, isText: boolean): void;
  /**
   * Called with the bytes of a line that is too long. The bytes are passed as they arrive and are not stored.
   * `isEnd` is true for the last bytes of the line.
   * @default a line that is too long throws
   */
  skip?: (bytes: Buffer, isEnd: boolean) => void;
}

/** Splits a stream of bytes into lines and buffers an incomplete line. */
export class LineReader {
  #parts: Buffer[] = [];
  #size = 0;
  #isSkipping = false;
  readonly #maxBytes: number;

  /** `maxBytes` is the maximum length of a line. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Passes every line that this chunk completes to the handler; throws for a line that is too long if the handler has
   * no `skip`.
   */
  read(chunk: Buffer, handler: LineHandler): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      if (this.#hasRoom(end - start, handler)) this.#complete(chunk, start, end, handler);
      else {
        this.#isSkipping = false;
        handler.skip?.(chunk.subarray(start, end), true);
      }
      start = end + 1;
    }
    if (start === chunk.length) return;
    const rest = start === 0 ? chunk : chunk.subarray(start);
    if (this.#hasRoom(rest.length, handler)) {
      // The chunks are concatenated only when the line is complete, because concatenating each chunk would take
      // quadratic time.
      this.#parts.push(rest);
      this.#size += rest.length;
    } else handler.skip?.(rest, false);
  }

  #complete(chunk: Buffer, start: number, end: number, handler: LineHandler): void {
    let line = chunk.subarray(start, end);
    if (this.#size > 0) {
      line = Buffer.concat([...this.#parts, line]);
      this.#parts = [];
      this.#size = 0;
    }
    handler.line(toText(line), isUtf8(line));
  }

  /**
   * Returns true while the line may be buffered. Once the line is too long, passes the buffered bytes to `skip` and
   * drops them.
   */
  #hasRoom(more: number, { skip }: LineHandler): boolean {
    if (this.#isSkipping) return false;
    if (this.#size + more <= this.#maxBytes) return true;
    const parts = this.#parts;
    this.#parts = [];
    this.#size = 0;
    if (skip === undefined)
      throw new Error(`A line is longer than ${this.#maxBytes.toLocaleString("en")} bytes`);
    this.#isSkipping = true;
    for (const part of parts) skip(part, false);
    return false;
  }
}

function toText(line: Buffer): string {
  const hasMark = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
  const hasCarriageReturn = line.length > 0 && line[line.length - 1] === carriageReturn;
  return line.toString("utf8", hasMark ? 3 : 0, hasCarriageReturn ? line.length - 1 : line.length);
}
