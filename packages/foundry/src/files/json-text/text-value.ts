import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "@foundry-mcp/contract";
import type { OpenValue } from "./open-value.ts";
import type { PieceWriter } from "./piece-writer.ts";
import type { SpanRecorder } from "./spans.ts";
import { writeEntries } from "./write-entries.ts";

/** A value in a text that is being edited: a stretch of the old text or of new bytes, opened by need. */
export class TextValue {
  readonly source: Buffer;
  readonly start: number;
  readonly end: number;
  /** What an edit that goes into the value works on. */
  opened: OpenValue | undefined;

  constructor(source: Buffer, start = 0, end = source.length) {
    this.source = source;
    this.start = start;
    this.end = end;
  }

  /** True for a list or an object. */
  get isContainer(): boolean {
    return this.source[this.start] === 0x7b || this.source[this.start] === 0x5b;
  }

  /** True for a list or an object that has entries and stands on one line. */
  get isOnOneLine(): boolean {
    const text = this.source.subarray(this.start, this.end);
    return this.isContainer && text.length > 2 && !text.includes(0x0a) && !text.includes(0x0d);
  }

  /** True where the text says just this value already, in whatever words. */
  says(value: JsonValue): boolean {
    if (this.opened !== undefined) return false;
    const said: unknown = JSON.parse(this.source.toString("utf8", this.start, this.end));
    // The one does not see the order of keys, the other not what JSON has no word for, such as 1e400.
    return isDeepStrictEqual(said, value) && JSON.stringify(said) === JSON.stringify(value);
  }

  /** Writes the value as it is now; `recorder` is told where its entries stand, `inner` where those of its hierarchy do. */
  write(writer: PieceWriter, recorder?: SpanRecorder, inner?: SpanRecorder): void {
    if (this.opened !== undefined) writeEntries(this.opened, writer, recorder, inner);
    else writer.put(this.source, this.start, this.end);
  }
}
