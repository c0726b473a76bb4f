import { isAscii } from "node:buffer";
import { ChunkWriter } from "./chunk-writer.ts";
import type { Edit } from "./edit.ts";
import { hasByteOrderMark } from "./json-syntax-error.ts";
import { outerLayout } from "./layout.ts";
import { scanJson } from "./scan-json.ts";
import { indexedMember, type JsonIndex, SpanRecorder, toIndex } from "./spans.ts";
import type { Splice } from "./splice.ts";
import { type OldText, TextContainer } from "./text-container.ts";
import { TextValue } from "./text-value.ts";

/** The result of editing a text. */
export interface TextPatch {
  /**
   * The chunks of the new text in order. A chunk is either a range of the old text, which is not copied, or new
   * bytes.
   */
  readonly chunks: readonly Uint8Array[];
  /** The replacements that turn the old text into the new text, in the order of the text. */
  readonly splices: readonly Splice[];
  /** The total size of the chunks in bytes. */
  readonly size: number;
  /** The byte offsets of the new text. */
  readonly index: JsonIndex;
}

/**
 * Applies edits to a JSON text, as `applyEdits` does to the parsed document. Only the edited values are printed, in
 * the style of the surrounding text. Every other byte is preserved. If `isPlain` is true, new text is printed in
 * ASCII. The default is true if the old text is ASCII.
 */
export function editText(
  bytes: Buffer,
  edits: readonly Edit[],
  index: JsonIndex = scanJson(bytes),
  isPlain: boolean = isAscii(hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes),
): TextPatch {
  if (edits.length === 0) return { chunks: [bytes], splices: [], size: bytes.length, index };
  const old = { bytes, index };
  const root = new TextValue(bytes, index.root.start, index.root.end);
  const opened = TextContainer.of(root, outerLayout(isPlain), 1, old);
  for (const edit of edits) if (!opened || !apply(opened, edit, old)) throw wrongPlace(edit);
  // The value is opened even if no edit changes it, because the new index contains the entries of the value.
  if (!opened?.isList) opened?.child(indexedMember, old);
  return write(root, bytes);
}

function apply(root: TextContainer, edit: Edit, old: OldText): boolean {
  let place: TextContainer | undefined = root;
  const path = edit.op === "insert" ? edit.path : edit.path.slice(0, -1);
  for (const key of path) {
    place = place.child(key, old);
    if (place === undefined) return false;
  }
  if (edit.op === "insert") return place.insert(edit.index, edit.value);
  const key = edit.path.at(-1);
  if (key === undefined) return false;
  return edit.op === "remove" ? place.remove(key) : place.set(key, edit.value, edit.after);
}

function write(root: TextValue, bytes: Buffer): TextPatch {
  const writer = new ChunkWriter(bytes);
  const members = new SpanRecorder();
  const hierarchy = new SpanRecorder();
  writer.put(bytes, 0, root.start);
  root.write(writer, members, hierarchy);
  writer.put(bytes, root.end, bytes.length);
  return { ...writer.finish(), size: writer.position, index: toIndex(members, hierarchy) };
}

function wrongPlace({ op, path }: Edit): Error {
  return new Error(`Cannot ${op} at ${path.join(".")}: the text has no such place`);
}
