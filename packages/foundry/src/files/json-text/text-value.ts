import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "@foundry-mcp/contract";
import type { ChunkWriter } from "./chunk-writer.ts";
import { type Layout, separatorIn } from "./layout.ts";
import { indexedMember, type SpanRecorder, type Spans } from "./spans.ts";
import type { Entry, TextContainer } from "./text-container.ts";

/** A value in a text that is being edited. The value is a range either of the old text or of new bytes. */
export class TextValue {
  readonly source: Buffer;
  readonly start: number;
  readonly end: number;
  /** The opened container, which is set when an edit changes an entry of the value. */
  container: TextContainer | undefined;

  constructor(source: Buffer, start = 0, end = source.length) {
    this.source = source;
    this.start = start;
    this.end = end;
  }

  /** True for a list or an object. */
  get isContainer(): boolean {
    return this.source[this.start] === 0x7b || this.source[this.start] === 0x5b;
  }

  /** True for a non-empty list or object on one line. */
  get isOnOneLine(): boolean {
    const text = this.source.subarray(this.start, this.end);
    return this.isContainer && text.length > 2 && !text.includes(0x0a) && !text.includes(0x0d);
  }

  /** True if the text already encodes this value, regardless of notation. */
  equals(value: JsonValue): boolean {
    if (this.container !== undefined) return false;
    const current: unknown = JSON.parse(this.source.toString("utf8", this.start, this.end));
    // The first check ignores the order of keys. The second check does not distinguish values that JSON cannot
    // express, such as 1e400.
    return isDeepStrictEqual(current, value) && JSON.stringify(current) === JSON.stringify(value);
  }

  /**
   * Writes the current value. `recorder` records the offsets of the entries of the document, and `inner` records the
   * offsets of the entries of the member `hierarchy`.
   */
  write(writer: ChunkWriter, recorder?: SpanRecorder, inner?: SpanRecorder): void {
    if (this.container !== undefined) writeEntries(this.container, writer, recorder, inner);
    else writer.put(this.source, this.start, this.end);
  }
}

/**
 * Writes a container with its current entries. Existing entries and the white space between them are taken from the
 * old text. `recorder` records the new offsets of the entries, and `inner` records the offsets of the entries of the
 * hierarchy.
 */
export function writeEntries(
  value: TextContainer,
  writer: ChunkWriter,
  recorder?: SpanRecorder,
  inner?: SpanRecorder,
): void {
  const { source, spans, layout } = value;
  const { start, end, count, keyStarts, valueEnds } = spans;
  const entries = value.entries();
  recorder?.begin(spans.kind, writer.position);
  if (entries.length === 0) {
    writer.put(source, start, start + 1);
    // A container that was empty before keeps its white space. A container that becomes empty is closed without white
    // space.
    writer.put(source, count === 0 ? start + 1 : end - 1, end);
    recorder?.end(writer.position);
    return;
  }
  const margins = count === 0 ? marginsOf(value) : undefined;
  writer.put(source, start, margins ? start + 1 : (keyStarts[0] as number));
  if (margins) writer.putText(margins.head);
  let previous: number | undefined;
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] as number | Entry;
    const index = typeof entry === "number" ? entry : entry.index;
    if (at > 0) writeGap(source, spans, layout, previous, index, writer);
    previous = index;
    if (typeof entry === "number") {
      // A run of untouched entries is a single range of the old text.
      while (entries[at + 1] === previous + 1) {
        at++;
        previous++;
      }
      const from = keyStarts[entry] as number;
      recorder?.addShifted(spans, entry, previous, writer.position - from);
      writer.put(source, from, valueEnds[previous] as number);
    } else writeEntry(source, spans, entry, writer, recorder, inner);
  }
  if (margins) writer.putText(margins.tail);
  writer.put(source, margins ? end - 1 : (valueEnds[count - 1] as number), end);
  recorder?.end(writer.position);
}

function writeEntry(
  source: Buffer,
  { kind, keyStarts, valueStarts }: Spans,
  { index, lead, keyLength, key, value }: Entry,
  writer: ChunkWriter,
  recorder?: SpanRecorder,
  inner?: SpanRecorder,
): void {
  const from = writer.position;
  if (index === -1) writer.put(lead, 0, lead.length);
  else writer.put(source, keyStarts[index] as number, valueStarts[index] as number);
  const start = writer.position;
  const isIndexed = inner !== undefined && kind === "object" && key === indexedMember;
  if (isIndexed) value.write(writer, inner);
  else value.write(writer);
  recorder?.add(from, from + keyLength, start, writer.position);
}

/** Writes the separator of two entries, copied from the old text next to an existing entry. */
function writeGap(
  source: Buffer,
  { count, keyStarts, valueEnds }: Spans,
  layout: Layout,
  previous: number | undefined,
  index: number,
  writer: ChunkWriter,
): void {
  const isOld = previous !== undefined && previous !== -1;
  const put = (gap: number) => writer.put(source, valueEnds[gap] as number, keyStarts[gap + 1] as number);
  if (isOld && index !== -1) put(index - 1);
  else if (isOld && previous < count - 1) put(previous);
  else if (count < 2) writer.putText(separatorIn(layout));
  else {
    const gap = index === -1 ? count - 2 : Math.max(index - 1, 0);
    writer.putText(source.toString("latin1", valueEnds[gap], keyStarts[gap + 1]));
  }
}

function marginsOf({ layout }: TextContainer): { head: string; tail: string } {
  const { isMultiline, newline, margin, unit } = layout;
  if (!isMultiline) return { head: "", tail: "" };
  const outer = margin.slice(0, margin.length - unit.length);
  return { head: newline + margin, tail: newline + outer };
}
