import { createHash } from "node:crypto";

/**
 * A part of the text of a spec with its position. Each chunk is a row of the table foundry.piece, and all
 * chunks in order form the text.
 */
export interface Chunk {
  /** The position among the members of the root. */
  readonly member: number;
  /** The position among the entries of a member; 0 for the member itself. */
  readonly entry: number;
  /** The key of a member or a node, in its stored form. */
  readonly key: string;
  /**
   * The text, including the separator before it. If the entries of a member are chunks, the chunk of the
   * member ends with its opening bracket. A long node is also split before and after each long value.
   */
  readonly raw: string;
}

/** The placeholder of a long value that was not read. */
export const stub = "0";

/** The distance between new positions, so that later chunks fit between them. */
export const spacing = 1_024;

/** The key of the text after the last member. No member key has this form when it is stored. */
export const tailKey = '"';

/**
 * The maximum length of a key. Longer keys are stored as a hash, because the size of index entries is
 * limited.
 */
const maxKeyLength = 200;

/** Escapes a key for storage, because text columns cannot store NUL or lone surrogates. */
export function toStoredKey(key: string): string {
  const text = JSON.stringify(key).slice(1, -1);
  return text.length <= maxKeyLength ? text : `"${createHash("sha256").update(text).digest("hex")}`;
}

/**
 * Returns the key of a long value in a node. A tab separates the node and the name, because a tab inside
 * either of them is escaped.
 */
export function partKey(node: string, name: string): string {
  return `${node}\t${toStoredKey(name)}`;
}

/** Returns the key of the text after a long value in a node. */
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

/** Returns the key of the node to which a chunk belongs. */
export function nodeOf(key: string): string {
  const tab = key.indexOf("\t");
  return tab === -1 ? key : key.slice(0, tab);
}

/** True for a chunk that contains non-ASCII text. A byte order mark does not count. */
export function isNonAscii({ raw }: Pick<Chunk, "raw">): boolean {
  return /[^\0-\x7f]/.test(raw.startsWith("\uFEFF") ? raw.slice(1) : raw);
}

/** Joins chunks to a text. */
export function toText(chunks: readonly Pick<Chunk, "raw">[]): Buffer {
  return Buffer.from(chunks.map(({ raw }) => raw).join(""));
}

/** Compares chunks by position. */
export function byPosition(a: Chunk, b: Chunk): number {
  return a.member - b.member || a.entry - b.entry;
}

/** Returns the position of a chunk as a map key. */
export function positionOf({ member, entry }: Pick<Chunk, "member" | "entry">): string {
  return `${member}/${entry}`;
}
