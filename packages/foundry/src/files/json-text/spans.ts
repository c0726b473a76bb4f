/** The kind of a value. Only objects and lists have entries. */
export type ValueKind = "object" | "list" | "scalar";

/**
 * The byte offsets of the entries of one value, which are the members of an object or the items of a list. The arrays
 * are typed, because a spec may have 100,000 nodes. A list item has an empty key at the offset of its value.
 */
export interface Spans {
  readonly kind: ValueKind;
  readonly start: number;
  readonly end: number;
  readonly count: number;
  /** The offset of the opening quote. */
  readonly keyStarts: Uint32Array;
  /** The offset after the closing quote. */
  readonly keyEnds: Uint32Array;
  readonly valueStarts: Uint32Array;
  readonly valueEnds: Uint32Array;
}

/** The byte offsets of a JSON text, two levels deep. */
export interface JsonIndex {
  readonly root: Spans;
  /** The nodes of a spec. Undefined if the root has no object or list with this name. */
  readonly hierarchy: Spans | undefined;
}

/** The member of the root whose entries are also indexed. */
export const indexedMember = "hierarchy";

/** Records the offsets of entries in the order of the text. */
export class SpanRecorder {
  #kind: ValueKind = "scalar";
  #start = 0;
  #end = 0;
  #count = 0;
  #keyStart = 0;
  #keyEnd = 0;
  #valueStart = 0;
  #rows = new Uint32Array(4 * 16);

  /** Discards everything and starts with a new value. */
  begin(kind: ValueKind, start: number): void {
    this.#kind = kind;
    this.#start = start;
    this.#count = 0;
  }

  key(start: number, end: number): void {
    this.#keyStart = start;
    this.#keyEnd = end;
  }

  /** Records the start of an entry's value. */
  value(start: number): void {
    this.#valueStart = start;
    if (this.#kind === "list") this.key(start, start);
  }

  /** Records the end of an entry's value and completes the entry. */
  close(end: number): void {
    this.add(this.#keyStart, this.#keyEnd, this.#valueStart, end);
  }

  add(keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): void {
    const row = this.#count++ * 4;
    if (row === this.#rows.length) {
      const more = new Uint32Array(row * 2);
      more.set(this.#rows);
      this.#rows = more;
    }
    const rows = this.#rows;
    rows[row] = keyStart;
    rows[row + 1] = keyEnd;
    rows[row + 2] = valueStart;
    rows[row + 3] = valueEnd;
  }

  /** Copies the entries from `first` to `last` from other spans, shifted by `shift` bytes. */
  addShifted(spans: Spans, first: number, last: number, shift: number): void {
    const { keyStarts, keyEnds, valueStarts, valueEnds } = spans;
    for (let at = first; at <= last; at++) {
      this.add(
        (keyStarts[at] as number) + shift,
        (keyEnds[at] as number) + shift,
        (valueStarts[at] as number) + shift,
        (valueEnds[at] as number) + shift,
      );
    }
  }

  end(end: number): void {
    this.#end = end;
  }

  finish(): Spans {
    // One loop over local variables: a command runs this code once, before V8 has optimized it.
    const rows = this.#rows;
    const count = this.#count;
    const keyStarts = new Uint32Array(count);
    const keyEnds = new Uint32Array(count);
    const valueStarts = new Uint32Array(count);
    const valueEnds = new Uint32Array(count);
    for (let at = 0, row = 0; at < count; at++, row += 4) {
      keyStarts[at] = rows[row] as number;
      keyEnds[at] = rows[row + 1] as number;
      valueStarts[at] = rows[row + 2] as number;
      valueEnds[at] = rows[row + 3] as number;
    }
    const [kind, start, end] = [this.#kind, this.#start, this.#end];
    return { kind, start, end, count, keyStarts, keyEnds, valueStarts, valueEnds };
  }
}

/** Builds the index from the recorded root and hierarchy. */
export function toIndex(root: SpanRecorder, hierarchy: SpanRecorder): JsonIndex {
  const nodes = hierarchy.finish();
  return { root: root.finish(), hierarchy: nodes.kind === "scalar" ? undefined : nodes };
}
