import type { JsonValue } from "@foundry-mcp/contract";
import { isIndexKey, toListIndex } from "./edit.ts";
import { KeyFinder, keyAt } from "./find-key.ts";
import { type Layout, layoutOf, styleIn } from "./layout.ts";
import { printJson, printScalar } from "./print-json.ts";
import { maxDepth, scanSpans, spansAt } from "./scan-json.ts";
import type { JsonIndex, Spans } from "./spans.ts";
import { TextValue } from "./text-value.ts";

/** The text that edits start from. */
export interface OldText {
  readonly bytes: Buffer;
  readonly index: JsonIndex;
}

/** An entry that an edit has added or gone into. */
export interface Entry {
  /** Its place among the entries of the text; -1 for a new one. */
  readonly index: number;
  /** The key and the colon of a new member. */
  readonly lead: Buffer;
  /** How much of the lead is the key. */
  readonly keyLength: number;
  readonly key: string;
  value: TextValue;
}

const untouched = 0;
const touched = 1;
const gone = 2;

/**
 * A list or an object that edits have gone into. Entries that no edit has named are only numbers, so that
 * 100,000 of them cost next to nothing.
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
  readonly #named = new Map<string, Entry>();

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

  /** Opens a value of the layout around it; undefined for one that has no entries. */
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

  /** The entries as they are now; a number is an entry of the text that no edit has gone into. */
  entries(): (number | Entry)[] {
    const entries: (number | Entry)[] = [];
    for (const each of this.#order) {
      const mark = typeof each === "number" ? this.#marks[each] : untouched;
      if (mark === untouched) entries.push(each);
      else if (mark === touched) entries.push(this.#touch(each as number));
    }
    return entries;
  }

  /** Goes into an entry; undefined where there is none, or it has no entries of its own. */
  child(key: string | number, old: OldText): TextContainer | undefined {
    const entry = this.#find(key);
    return entry && TextContainer.of(entry.value, this.layout, this.#depth + 1, old);
  }

  /** Replaces a value or adds one; false where a list has no such place. */
  set(key: string | number, value: JsonValue, after: string | undefined): boolean {
    const entry = this.#find(key);
    if (entry !== undefined) {
      if (!entry.value.equals(value)) entry.value = this.#print(value, entry.value.isOnOneLine);
      return true;
    }
    if (this.isList) return toListIndex(key) === this.#order.length && this.insert(this.#order.length, value);
    const added = this.#toMember(String(key), value);
    this.#order.splice(this.#placeBehind(after), 0, added);
    this.#named.set(added.key, added);
    return true;
  }

  /** Puts an item into a list; false for what is no list. */
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

  /** Takes an entry away, if there is one; false for a key that cannot be one of a list. */
  remove(key: string | number): boolean {
    if (this.isList) {
      const index = toListIndex(key);
      if (index !== -1) this.#order.splice(index, 1);
      return index !== -1;
    }
    const name = String(key);
    const added = this.#named.get(name);
    if (added !== undefined) this.#order.splice(this.#order.lastIndexOf(added), 1);
    this.#named.delete(name);
    // A key that a file has twice would come back with its other value.
    for (const index of this.#finder.allOf(name)) this.#marks[index] = gone;
    return true;
  }

  #find(key: string | number): Entry | undefined {
    const found = this.isList ? this.#order[toListIndex(key)] : this.#member(String(key));
    return typeof found === "number" ? this.#touch(found) : found;
  }

  #member(key: string): number | Entry | undefined {
    const added = this.#named.get(key);
    if (added !== undefined) return added;
    const index = this.#finder.lastOf(key);
    return index === -1 || this.#marks[index] === gone ? undefined : index;
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

  /** Where a new member goes: behind the one that is named, else at the end. */
  #placeBehind(after: string | undefined): number {
    const found = after === undefined ? undefined : this.#member(after);
    if (after === undefined || found === undefined) return this.#order.length;
    if (isIndexKey(after)) {
      // A parsed object has such keys before all others: behind one of them is before the first other.
      const first = this.#order.findIndex((each) => !isIndexKey(this.#keyOf(each)));
      if (first !== -1) return first;
    }
    // A key that the file has twice stands, once parsed, where it came first.
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
