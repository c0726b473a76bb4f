import type { UnknownRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { FileIdentity } from "@foundry-mcp/toolkit/files";
import { keyAt } from "../../../files/json-text/find-key.ts";
import { indexedMember, type JsonIndex, type Spans } from "../../../files/json-text/spans.ts";
import type { SpecColumns } from "../../model/spec-columns.ts";
import { SpecModel } from "../../model/spec-model.ts";
import { createLazyHierarchy } from "../lazy-hierarchy.ts";
import { SpecFile, specNameOf } from "../spec-file.ts";

/** Changes when the layout of the index changes, or when the columns have another meaning. */
const format = 1;
/** The number of digits at the end of an index. These digits show that the index is complete. */
const endLength = 16;

/** The first part of an index, in JSON. The typed arrays follow. */
interface IndexHead {
  readonly format: number;
  /** The path of the spec file. */
  readonly file: string;
  /** The SHA-256 hash of the text. */
  readonly digest: string;
  readonly identity: FileIdentity;
  /** False if the file had just been changed, so that another change could have left the same identity. */
  readonly isSettled: boolean;
  readonly ids: readonly string[];
  readonly strangers: readonly string[];
  readonly hasPriorities: boolean;
  readonly root: Pick<Spans, "start" | "end" | "count">;
  readonly hierarchy: Pick<Spans, "start" | "end" | "count">;
  /** The lengths of the arrays, in the order of `toArrays`. */
  readonly lengths: readonly number[];
}

/** The facts that a program has learnt about a spec file: where its nodes are, their order and their progress. */
export interface SpecIndex extends Pick<IndexHead, "file" | "digest" | "identity" | "isSettled"> {
  readonly index: JsonIndex;
  readonly columns: SpecColumns;
}

/**
 * Returns the index of a spec. Returns undefined if the members of the text and of the parsed spec differ, as with
 * duplicate keys.
 */
export function toSpecIndex(
  file: SpecFile,
  place: Pick<SpecIndex, "file" | "identity" | "isSettled">,
): SpecIndex | undefined {
  const { index, bytes, model, digest } = file;
  const { root, hierarchy } = index;
  if (hierarchy === undefined || hierarchy.kind !== "object") return undefined;
  const { columns } = model;
  const isSame = (spans: Spans, keys: readonly string[]) =>
    spans.count === keys.length &&
    (verified.has(keys) || keys.every((key, at) => keyAt(bytes, spans, at) === key));
  if (!isSame(hierarchy, columns.ids) || !isSame(root, Object.keys(model.fields))) return undefined;
  verified.add(columns.ids);
  return { ...place, digest, index, columns };
}

/**
 * Lists of ids that were compared with the text. A spec keeps its list as long as no node is added, removed or moved,
 * and such a change neither adds keys nor changes their order.
 */
const verified = new WeakSet<readonly string[]>();

/** Returns the spec file that an index describes. The nodes of the spec are parsed when they are first read. */
export function fromSpecIndex({ index, columns, digest, file }: SpecIndex, bytes: Buffer): SpecFile {
  const { root, hierarchy } = index;
  const fields: Record<string, unknown> = {};
  for (let at = 0; at < root.count; at++) {
    const key = keyAt(bytes, root, at);
    const value =
      key === indexedMember && hierarchy !== undefined
        ? createLazyHierarchy(bytes, hierarchy, columns.ids)
        : parseJsonText(bytes.toString("utf8", root.valueStarts[at], root.valueEnds[at]));
    Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true });
  }
  verified.add(columns.ids);
  const model = SpecModel.withColumns(fields as UnknownRecord, columns, specNameOf(file));
  return new SpecFile(bytes, model, { index, digest });
}

/** Encodes an index: its length, the length of the head, the head, the typed arrays, and the first digits of the digest. */
export function encodeSpecIndex({ index, columns, ...place }: SpecIndex): Buffer {
  const { root, hierarchy = root } = index;
  const arrays = toArrays(index, columns);
  const spans = ({ start, end, count }: Spans) => ({ start, end, count });
  const head: IndexHead = {
    format,
    ...place,
    identity: toIdentity(place.identity),
    ids: columns.ids,
    strangers: columns.strangers,
    hasPriorities: columns.hasPriorities,
    root: spans(root),
    hierarchy: spans(hierarchy),
    lengths: arrays.map(({ length }) => length),
  };
  const text = Buffer.from(JSON.stringify(head));
  const body = [
    text,
    ...arrays.map((array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength)),
  ];
  const size = body.reduce((sum, part) => sum + toWords(part.length), 2) * 4 + endLength;
  const bytes = Buffer.alloc(size);
  let at = 8;
  for (const part of body) {
    bytes.set(part, at);
    at += toWords(part.length) * 4;
  }
  bytes.writeUInt32LE(text.length, 4);
  bytes.writeUInt32LE(size, 0);
  bytes.write(place.digest.slice(0, endLength), size - endLength, "latin1");
  return bytes;
}

/**
 * Decodes an index. Returns undefined for an index that another version has written, or of which a part is missing.
 */
export function decodeSpecIndex(bytes: Buffer): SpecIndex | undefined {
  if (bytes.length < 8 + endLength || bytes.readUInt32LE(0) !== bytes.length) return undefined;
  const length = bytes.readUInt32LE(4);
  if (length > bytes.length - 8) return undefined;
  try {
    const head = parseJsonText(bytes.toString("utf8", 8, 8 + length)) as IndexHead;
    const end = bytes.toString("latin1", bytes.length - endLength);
    if (head.format !== format || !head.digest.startsWith(end)) return undefined;
    return fromHead(head, bytes.subarray(8 + toWords(length) * 4));
  } catch {
    return undefined;
  }
}

function fromHead(head: IndexHead, body: Buffer): SpecIndex {
  // The typed arrays need an aligned buffer of their own.
  const { buffer } = Uint8Array.from(body);
  let [at, read] = [0, 0];
  const next = <T>(of: new (buffer: ArrayBuffer, offset: number, length: number) => T, size = 4): T => {
    const length = head.lengths[read++] ?? 0;
    const array = new of(buffer, at, length);
    at += toWords(length * size) * 4;
    return array;
  };
  const spans = (known: Pick<Spans, "start" | "end" | "count">): Spans => ({
    kind: "object",
    ...known,
    keyStarts: next(Uint32Array),
    keyEnds: next(Uint32Array),
    valueStarts: next(Uint32Array),
    valueEnds: next(Uint32Array),
  });
  const { file, digest, identity, isSettled, ids, strangers, hasPriorities } = head;
  return {
    ...{ file, digest, identity, isSettled },
    index: { root: spans(head.root), hierarchy: spans(head.hierarchy) },
    columns: {
      ...{ ids, strangers, hasPriorities },
      order: next(Uint32Array),
      places: next(Int32Array),
      parents: next(Int32Array),
      totals: next(Uint32Array),
      completed: next(Uint32Array),
      blockerStarts: next(Uint32Array),
      blockers: next(Uint32Array),
      counted: next(Uint8Array, 1),
      work: next(Uint8Array, 1),
    },
  };
}

function toArrays(
  { root, hierarchy = root }: JsonIndex,
  columns: SpecColumns,
): readonly (Uint32Array | Int32Array | Uint8Array)[] {
  const ofSpans = ({ keyStarts, keyEnds, valueStarts, valueEnds }: Spans) => [
    keyStarts,
    keyEnds,
    valueStarts,
    valueEnds,
  ];
  const { order, places, parents, totals, completed, blockerStarts, blockers, counted, work } = columns;
  const words = [order, places, parents, totals, completed, blockerStarts, blockers];
  return [...ofSpans(root), ...ofSpans(hierarchy), ...words, counted, work];
}

function toIdentity({ ino, dev, size, mtimeMs, ctimeMs }: FileIdentity): FileIdentity {
  return { ino, dev, size, mtimeMs, ctimeMs };
}

const toWords = (bytes: number) => Math.ceil(bytes / 4);
