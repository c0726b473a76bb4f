/** A syntax error in a JSON text, with its position. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  /** The line number, starting at 1. */
  readonly line: number;
  /** The column in characters rather than bytes, starting at 1. */
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** Creates the error for a byte offset. */
export function toSyntaxError(bytes: Buffer, offset: number, message: string): JsonSyntaxError {
  let line = 1;
  let lineStart = hasByteOrderMark(bytes) ? 3 : 0;
  for (let at = lineStart; at < offset; at++) {
    const isBreak = bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a);
    if (!isBreak) continue;
    line++;
    lineStart = at + 1;
  }
  let column = 1;
  // Every byte that is not a UTF-8 continuation byte starts a character.
  for (let at = lineStart; at < offset; at++) if (((bytes[at] ?? 0) & 0xc0) !== 0x80) column++;
  return new JsonSyntaxError(message, line, column);
}

/** Creates the error for an unexpected byte. */
export function toUnexpected(bytes: Buffer, offset: number, wanted: string): JsonSyntaxError {
  const found = offset >= bytes.length ? "the text ends" : `there is ${quoteAt(bytes, offset)}`;
  return toSyntaxError(bytes, offset, `Expected ${wanted}, but ${found}`);
}

/** True for a text that starts with the UTF-8 byte order mark. */
export function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function quoteAt(bytes: Buffer, offset: number): string {
  const [character = ""] = bytes.toString("utf8", offset, offset + 4);
  return JSON.stringify(character);
}
