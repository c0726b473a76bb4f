import type { JsonValue } from "@foundry-mcp/contract";
import { maxDepth } from "@foundry-mcp/contract/input";
import { isIndexKey, toListIndex } from "./edit.ts";
import { KeyFinder, keyAt } from "./find-key.ts";
import { type Layout, layoutOf, styleIn } from "./layout.ts";
import { printJson, printScalar } from "./print-json.ts";
import { scanSpans, spansAt } from "./scan-json.ts";
import type { JsonIndex, Spans } from "./spans.ts";
import { TextValue } from "./text-value.ts";

/** The original text and its index. */
export interface OldText {
  readonly bytes: Buffer;
  readonly index: JsonIndex;
}

/** An entry that an edit added or modified. */
export interface Entry {
  /** The index among the entries of the original text, or -1 for a new entry. */
  readonly index: number;
  /** The printed key and colon of a member. */
  readonly lead: Buffer;
  /** The length of the key within the text before the value. */
  readonly keyLength: number;
  readonly key: string;
  value: TextValue;
}

const untouched = 0;
const touched = 1;
const removed = 2;

/**
 * A list or an object that is being edited. Untouched entries are represented only by their index, so that 100,000 of
 * them take almost no memory or time.
 */
export class TextContainer {
  readonly source: Buffer;
  readonly spans: Spans;
  readonly layout: Layout;
  readonly #depth: number;
  readonly #finder: KeyFinder;
  readonly #order: (number | Entry)[];
  readonly #marks: Uint8Array;
  readonly #touched = new Map<number, Entry>();
  readonly #added = new Map<string, Entry>();

  private constructor(source: Buffer, spans: Spans, outer: Layout, depth: number) {
    this.source = source;
    this.spans = spans;
    this.layout = layoutOf(source, spans, outer);
    this.#depth = depth;
    this.#finder = new KeyFinder(source, spans);
    this.#order = new Array<number>(spans.count);
    for (let index = 0; index < spans.count; index++) this.#order[index] = index;
    this.#marks = new Uint8Array(spans.count);
  }

  /** Opens a value for editing within the outer layout. Returns undefined for a scalar. */
  static of(value: TextValue, outer: Layout, depth: number, old: OldText): TextContainer | undefined {
    if (value.container !== undefined || !value.isContainer) return value.container;
    const { source, start } = value;
    const spans = source === old.bytes ? spansAt(source, start, old.index) : scanSpans(source, start);
    value.container = new TextContainer(source, spans, outer, depth);
    return value.container;
  }

  get isList(): boolean {
    return this.spans.kind === "list";
  }

  /** Returns the current entries. A number is the index of an untouched entry. */
  entries(): (number | Entry)[] {
    const entries: (number | Entry)[] = [];
    for (const each of this.#order) {
      const mark = typeof each === "number" ? this.#marks[each] : untouched;
      if (mark === untouched) entries.push(each);
      else if (mark === touched) entries.push(this.#touch(each as number));
    }
    return entries;
  }

  /** Opens an entry for editing. Returns undefined if the entry is missing or a scalar. */
  child(key: string | number, old: OldText): TextContainer | undefined {
    const entry = this.#find(key);
    return entry && TextContainer.of(entry.value, this.layout, this.#depth + 1, old);
  }

  /** Replaces or adds a value. Returns false for a list index beyond the end. */
  set(key: string | number, value: JsonValue, after: string | undefined): boolean {
    const entry = this.#find(key);
    if (entry !== undefined) {
      if (!entry.value.equals(value)) entry.value = this.#print(value, entry.value.isOnOneLine);
      return true;
    }
    if (this.isList) return toListIndex(key) === this.#order.length && this.insert(this.#order.length, value);
    const added = this.#toMember(String(key), value);
    this.#order.splice(this.#positionAfter(after), 0, added);
    this.#added.set(added.key, added);
    return true;
  }

  /** Inserts an item into a list. Returns false if the container is not a list. */
  insert(index: number, value: JsonValue): boolean {
    if (!this.isList || toListIndex(index) === -1) return false;
    const item = {
      index: -1,
      lead: Buffer.alloc(0),
      keyLength: 0,
      key: "",
      value: this.#print(value, false),
    };
    this.#order.splice(index, 0, item);
    return true;
  }

  /** Removes an entry if it exists. Returns false if the container is a list and the key is not a list index. */
  remove(key: string | number): boolean {
    if (this.isList) {
      const index = toListIndex(key);
      if (index !== -1) this.#order.splice(index, 1);
      return index !== -1;
    }
    const name = String(key);
    const added = this.#added.get(name);
    if (added !== undefined) this.#order.splice(this.#order.lastIndexOf(added), 1);
    this.#added.delete(name);
    // All duplicates are removed, because otherwise an earlier value of the key would reappear.
    for (const index of this.#finder.allOf(name)) this.#marks[index] = removed;
    return true;
  }

  #find(key: string | number): Entry | undefined {
    const found = this.isList ? this.#order[toListIndex(key)] : this.#member(String(key));
    return typeof found === "number" ? this.#touch(found) : found;
  }

  #member(key: string): number | Entry | undefined {
    const added = this.#added.get(key);
    if (added !== undefined) return added;
    const index = this.#finder.lastOf(key);
    return index === -1 || this.#marks[index] === removed ? undefined : index;
  }

  #touch(index: number): Entry {
    const known = this.#touched.get(index);
    if (known !== undefined) return known;
    const { keyStarts, keyEnds, valueStarts, valueEnds } = this.spans;
    const start = keyStarts[index] as number;
    const entry = {
      index,
      lead: this.source.subarray(start, valueStarts[index]),
      keyLength: (keyEnds[index] as number) - start,
      key: this.isList ? "" : keyAt(this.source, this.spans, index),
      value: new TextValue(this.source, valueStarts[index], valueEnds[index]),
    };
    this.#touched.set(index, entry);
    this.#marks[index] = touched;
    return entry;
  }

  /** Returns the position of a new member: right after the member `after`, or else at the end. */
  #positionAfter(after: string | undefined): number {
    const found = after === undefined ? undefined : this.#member(after);
    if (after === undefined || found === undefined) return this.#order.length;
    if (isIndexKey(after)) {
      // A parsed object orders integer keys first, so the position after an integer key is before the first other key.
      const first = this.#order.findIndex((each) => !isIndexKey(this.#keyOf(each)));
      if (first !== -1) return first;
    }
    // In a parsed object, a duplicate key has the position of its first occurrence.
    return this.#order.indexOf(typeof found === "number" ? this.#finder.firstOf(after) : found) + 1;
  }

  #keyOf(each: number | Entry): string {
    return typeof each === "number" ? keyAt(this.source, this.spans, each) : each.key;
  }

  #toMember(key: string, value: JsonValue): Entry {
    const { colon, isAscii } = styleIn(this.layout, true);
    const name = Buffer.from(printScalar(key, isAscii));
    const lead = Buffer.concat([name, Buffer.from(colon)]);
    return { index: -1, lead, keyLength: name.length, key, value: this.#print(value, false) };
  }

  #print(value: JsonValue, isOnOneLine: boolean): TextValue {
    const style = styleIn(this.layout, isOnOneLine);
    return new TextValue(Buffer.from(printJson(value, style, this.layout.margin, maxDepth - this.#depth)));
  }
}
