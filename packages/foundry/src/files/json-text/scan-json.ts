import { isUtf8 } from "node:buffer";
import { maxDepth } from "@foundry-mcp/contract/input";
import { keyText } from "./find-key.ts";
import { hasByteOrderMark, toSyntaxError, toUnexpected } from "./json-syntax-error.ts";
import { scanScalar, scanString, skipSpace } from "./scan-tokens.ts";
import { indexedMember, type JsonIndex, SpanRecorder, type Spans, toIndex } from "./spans.ts";

const openObject = 0x7b;
const closeObject = 0x7d;
const openList = 0x5b;
const closeList = 0x5d;
const comma = 0x2c;
const colon = 0x3a;
const quote = 0x22;

/**
 * Finds the byte offsets of the members of the root and of its `hierarchy`. Throws a JsonSyntaxError unless the text
 * is valid JSON in UTF-8, with or without a byte order mark.
 */
export function scanJson(bytes: Buffer): JsonIndex {
  if (!isUtf8(bytes)) throw toSyntaxError(bytes, firstInvalid(bytes), "The text is not UTF-8");
  const start = skipSpace(bytes, hasByteOrderMark(bytes) ? 3 : 0);
  if (start === bytes.length) throw toSyntaxError(bytes, start, "The text is empty");
  const root = new SpanRecorder();
  const hierarchy = new SpanRecorder();
  const end = scanValue(bytes, start, root, hierarchy);
  const rest = skipSpace(bytes, end);
  if (rest < bytes.length) throw toUnexpected(bytes, rest, "the end of the text");
  return toIndex(root, hierarchy);
}

/** Finds the byte offsets of the entries of one value, in a text that was scanned before. */
export function scanSpans(bytes: Buffer, start: number): Spans {
  const recorder = new SpanRecorder();
  scanValue(bytes, start, recorder, undefined);
  return recorder.finish();
}

/**
 * Returns the entries of the container at an offset. The first two levels are in the index, and other levels are
 * scanned.
 */
export function spansAt(bytes: Buffer, start: number, { root, hierarchy }: JsonIndex): Spans {
  if (start === root.start) return root;
  return start === hierarchy?.start ? hierarchy : scanSpans(bytes, start);
}

// A loop is used instead of recursion, so that no input can exhaust the stack.
function scanValue(
  bytes: Buffer,
  start: number,
  outer: SpanRecorder,
  inner: SpanRecorder | undefined,
): number {
  const closers = new Uint8Array(maxDepth + 1);
  let isInner = false;
  let expectsKey = false;
  let depth = 0;
  let at = start;
  outer.begin("scalar", start);
  for (;;) {
    at = skipSpace(bytes, at);
    if (expectsKey) {
      expectsKey = false;
      if (bytes[at] !== quote) throw toUnexpected(bytes, at, "a key in quotes");
      const end = scanString(bytes, at);
      if (depth === 1) {
        outer.key(at, end);
        isInner = inner !== undefined && keyText(bytes, at, end) === indexedMember;
        // If a key occurs more than once, the last value counts.
        if (isInner) inner?.begin("scalar", end);
      } else if (depth === 2 && isInner) inner?.key(at, end);
      at = skipSpace(bytes, end);
      if (bytes[at] !== colon) throw toUnexpected(bytes, at, '":"');
      at = skipSpace(bytes, at + 1);
    }
    const byte = bytes[at];
    if (depth === 1) outer.value(at);
    else if (depth === 2 && isInner) inner?.value(at);
    let isEmpty = false;
    if (byte === openObject || byte === openList) {
      const isObject = byte === openObject;
      const kind = isObject ? "object" : "list";
      if (depth === maxDepth)
        throw toSyntaxError(bytes, at, `More than ${maxDepth} levels of nested lists and objects`);
      if (depth === 0) outer.begin(kind, at);
      else if (depth === 1 && isInner) inner?.begin(kind, at);
      depth++;
      closers[depth] = isObject ? closeObject : closeList;
      at = skipSpace(bytes, at + 1);
      isEmpty = bytes[at] === closers[depth];
      if (!isEmpty) {
        expectsKey = isObject;
        continue;
      }
    } else at = scanScalar(bytes, at);
    // A value has ended. The containers whose last entry was this value may have ended too.
    for (;;) {
      if (isEmpty) isEmpty = false;
      else {
        if (depth === 0) {
          outer.end(at);
          return at;
        }
        if (depth === 1) outer.close(at);
        else if (depth === 2 && isInner) inner?.close(at);
        at = skipSpace(bytes, at);
      }
      const next = bytes[at];
      if (next === closers[depth]) {
        at++;
        depth--;
        if (depth === 1 && isInner) inner?.end(at);
      } else if (next === comma) {
        at++;
        expectsKey = closers[depth] === closeObject;
        break;
      } else {
        throw toUnexpected(bytes, at, closers[depth] === closeObject ? '"," or "}"' : '"," or "]"');
      }
    }
  }
}

function firstInvalid(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] as number;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length > 1 && !isUtf8(bytes.subarray(at, at + length))) break;
    at += length;
  }
  return at;
}
