import { createHash } from "node:crypto";

/** A stretch of the text of a spec, and its place: all of them, one behind the other, are the text. */
export interface Chunk {
  /** The place among the members of the root. */
  readonly member: number;
  /** The place among the entries of that member; 0 for the member itself. */
  readonly entry: number;
  /** The key of a member or a node, as it is stored. */
  readonly key: string;
  /**
   * What stands before it, and itself. A member whose entries are chunks of their own ends with its bracket; a long
   * node is cut again, before and behind each long value in it.
   */
  readonly raw: string;
}

/** Stands for a long value that nobody has to look at. */
export const stub = "0";

/** New places are so far apart that others fit between them. */
export const spacing = 1_024;

/** The key of what stands behind the last member; no other is stored so. */
export const tailKey = '"';

/** Longer keys are stored as their hash: an index takes no longer ones. */
const maxKeyLength = 200;

/** A key as it is stored: texts of a database cannot hold everything that texts of JSON can. */
export function toStoredKey(key: string): string {
  const text = JSON.stringify(key).slice(1, -1);
  return text.length <= maxKeyLength ? text : `"${createHash("sha256").update(text).digest("hex")}`;
}

/** The key of a long value in a node. A tab parts the two: as a part of either it would be written as an escape. */
export function partKey(node: string, name: string): string {
  return `${node}\t${toStoredKey(name)}`;
}

/** The key of what follows a long value in a node. */
export function restKey(part: string): string {
  return `${part}\t`;
}

/** True for the key of a long value. */
export function isPartKey(key: string): boolean {
  return key.slice(nodeOf(key).length).split("\t").length === 2;
}

/** True for the key that a node begins with. */
export function isNodeKey(key: string): boolean {
  return nodeOf(key) === key;
}

/** The key of the node that a chunk is of. */
export function nodeOf(key: string): string {
  const tab = key.indexOf("\t");
  return tab === -1 ? key : key.slice(0, tab);
}

/** True for a chunk that holds more than ASCII; a byte order mark does not count. */
export function isNonAscii({ raw }: Pick<Chunk, "raw">): boolean {
  return /[^\0-\x7f]/.test(raw.startsWith("\uFEFF") ? raw.slice(1) : raw);
}

/** The text that chunks in their order make. */
export function toText(chunks: readonly Pick<Chunk, "raw">[]): Buffer {
  return Buffer.from(chunks.map(({ raw }) => raw).join(""));
}

/** The order of the text. */
export function byPosition(a: Chunk, b: Chunk): number {
  return a.member - b.member || a.entry - b.entry;
}

/** What tells the place of a chunk from all others. */
export function positionOf({ member, entry }: Pick<Chunk, "member" | "entry">): string {
  return `${member}/${entry}`;
}
