import { createHash } from "node:crypto";

/** A part of a spec's text with its position, a row of foundry.piece; all chunks in order are the text. */
export interface Chunk {
  /** The position among the members of the root. */
  readonly member: number;
  /** The position among the entries of that member; 0 for the member itself. */
  readonly entry: number;
  /** The key of a member or a node, as it is stored. */
  readonly key: string;
  /**
   * The text, including the separator before it. A member whose entries are chunks ends with its opening bracket; a long
   * node is split again before and after each long value.
   */
  readonly raw: string;
}

/** The placeholder of a long value that was not read. */
export const stub = "0";

/** The distance of new positions, so that others fit between them. */
export const spacing = 1_024;

/** The key of the text after the last member; no member key is stored like this. */
export const tailKey = '"';

/** Longer keys are stored as their hash, because the size of index entries is limited. */
const maxKeyLength = 200;

/** Escapes a key for storage: text columns cannot hold NUL and lone surrogates. */
export function toStoredKey(key: string): string {
  const text = JSON.stringify(key).slice(1, -1);
  return text.length <= maxKeyLength ? text : `"${createHash("sha256").update(text).digest("hex")}`;
}

/** The key of a long value in a node. A tab separates the two, because within either it would be escaped. */
export function partKey(node: string, name: string): string {
  return `${node}\t${toStoredKey(name)}`;
}

/** The key of the text after a long value in a node. */
export function restKey(part: string): string {
  return `${part}\t`;
}

/** True for the key of a long value. */
export function isPartKey(key: string): boolean {
  return key.slice(nodeOf(key).length).split("\t").length === 2;
}

/** True for the key of the first chunk of a node. */
export function isNodeKey(key: string): boolean {
  return nodeOf(key) === key;
}

/** The key of the node that a chunk belongs to. */
export function nodeOf(key: string): string {
  const tab = key.indexOf("\t");
  return tab === -1 ? key : key.slice(0, tab);
}

/** True for a chunk with non-ASCII text, apart from a byte order mark. */
export function isNonAscii({ raw }: Pick<Chunk, "raw">): boolean {
  return /[^\0-\x7f]/.test(raw.startsWith("\uFEFF") ? raw.slice(1) : raw);
}

/** Joins chunks to their text. */
export function toText(chunks: readonly Pick<Chunk, "raw">[]): Buffer {
  return Buffer.from(chunks.map(({ raw }) => raw).join(""));
}

/** Compares chunks by position. */
export function byPosition(a: Chunk, b: Chunk): number {
  return a.member - b.member || a.entry - b.entry;
}

/** The position of a chunk as a map key. */
export function positionOf({ member, entry }: Pick<Chunk, "member" | "entry">): string {
  return `${member}/${entry}`;
}
