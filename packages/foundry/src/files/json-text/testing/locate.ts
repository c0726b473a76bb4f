import type { EditPath } from "../edit.ts";
import { findLastKey } from "../find-key.ts";
import { toListIndex } from "../list-index.ts";
import { scanSpans } from "../scan-json.ts";
import type { JsonIndex, Spans } from "../spans.ts";

/** Where a value stands in its text, in bytes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the value at a path, in a text that has been scanned; undefined where there is none. The first two
 * levels come from the index, and below them only what lies on the way is read.
 */
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

/** The entries of the value that starts there: from the index where it has them. */
export function spansAt(bytes: Buffer, start: number, { root, hierarchy }: JsonIndex): Spans {
  if (start === root.start) return root;
  return start === hierarchy?.start ? hierarchy : scanSpans(bytes, start);
}
