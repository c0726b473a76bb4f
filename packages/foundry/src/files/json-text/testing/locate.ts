import { type EditPath, toListIndex } from "../edit.ts";
import { findLastKey } from "../find-key.ts";
import { spansAt } from "../scan-json.ts";
import type { JsonIndex } from "../spans.ts";

/** The byte offsets of a value in its text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds the value at a path in a scanned text. Returns undefined if there is no value. */
export function locate(bytes: Buffer, path: EditPath, index: JsonIndex): Span | undefined {
  let span: Span = { start: index.root.start, end: index.root.end };
  for (const key of path) {
    const spans = spansAt(bytes, span.start, index);
    const entry = spans.kind === "list" ? toListIndex(key) : findLastKey(bytes, spans, String(key));
    const start = spans.valueStarts[entry];
    const end = spans.valueEnds[entry];
    if (start === undefined || end === undefined) return undefined;
    span = { start, end };
  }
  return span;
}
