import type { Spans } from "./spans.ts";

const backslash = 0x5c;

/** Decodes the key between two offsets, which include its quotes. */
export function keyText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString("utf8", start, end);
  return text.includes("\\") ? (JSON.parse(text) as string) : text.slice(1, -1);
}

/** Decodes the key of a member. */
export function keyAt(bytes: Buffer, spans: Spans, index: number): string {
  return keyText(bytes, spans.keyStarts[index] as number, spans.keyEnds[index] as number);
}

/** The number of linear searches after which a table of all keys is faster. */
const searchesBeforeTable = 24;

/** Finds members by key. In JSON with duplicate keys, the last value counts, at the position of the first key. */
export class KeyFinder {
  readonly #bytes: Buffer;
  readonly #spans: Spans;
  #searches = 0;
  #first: Map<string, number> | undefined;
  #last = new Map<string, number>();

  constructor(bytes: Buffer, spans: Spans) {
    this.#bytes = bytes;
    this.#spans = spans;
  }

  /** Returns the index of the last member with a key, or -1 if there is none. */
  lastOf(key: string): number {
    if (this.#hasTable()) return this.#last.get(key) ?? -1;
    return findLastKey(this.#bytes, this.#spans, key);
  }

  /** Returns the index of the first member with a key, or -1 if there is none. */
  firstOf(key: string): number {
    if (this.#hasTable()) return this.#first?.get(key) ?? -1;
    const isKey = keyTest(this.#bytes, this.#spans, key);
    for (let index = 0; index < this.#spans.count; index++) if (isKey(index)) return index;
    return -1;
  }

  /** Returns the indexes of all members with a key. */
  allOf(key: string): number[] {
    const last = this.lastOf(key);
    if (last === -1) return [];
    const isKey = keyTest(this.#bytes, this.#spans, key);
    const all: number[] = [];
    for (let index = this.firstOf(key); index <= last; index++) if (isKey(index)) all.push(index);
    return all;
  }

  #hasTable(): boolean {
    if (this.#first !== undefined) return true;
    if (++this.#searches <= searchesBeforeTable) return false;
    this.#first = new Map();
    for (let index = 0; index < this.#spans.count; index++) {
      const key = keyAt(this.#bytes, this.#spans, index);
      if (!this.#first.has(key)) this.#first.set(key, index);
      this.#last.set(key, index);
    }
    return true;
  }
}

/** Returns the index of the last member with a key, or -1 if there is none. */
export function findLastKey(bytes: Buffer, spans: Spans, key: string): number {
  const isKey = keyTest(bytes, spans, key);
  const { keyStarts, keyEnds } = spans;
  const shortest = key.length + 2;
  for (let index = spans.count - 1; index >= 0; index--) {
    // Most keys differ in length, and no encoding of a key has fewer bytes than the key has characters.
    const length = (keyEnds[index] as number) - (keyStarts[index] as number);
    if (length >= shortest && isKey(index)) return index;
  }
  return -1;
}

function keyTest(bytes: Buffer, spans: Spans, key: string): (index: number) => boolean {
  // A lone surrogate has no UTF-8 encoding, so it can only be written as an escape.
  if (!key.isWellFormed()) return (index) => keyAt(bytes, spans, index) === key;
  const wanted = Buffer.from(key);
  const { length } = wanted;
  const { keyStarts, keyEnds } = spans;
  return (index) => {
    const start = (keyStarts[index] as number) + 1;
    const more = (keyEnds[index] as number) - 1 - start - length;
    if (more < 0) return false;
    // An escape is longer than its character, so a matching key of this length contains no escapes. The comparison
    // starts from the end, where ids differ.
    if (more === 0) {
      let at = length - 1;
      while (at >= 0 && bytes[start + at] === wanted[at]) at--;
      return at === -1;
    }
    let at = 0;
    while (at < length && bytes[start + at] === wanted[at] && wanted[at] !== backslash) at++;
    return bytes[start + at] === backslash && keyAt(bytes, spans, index) === key;
  };
}
