import { isPlural, toKeyWords } from "./key-words.ts";

const mostValues = 50;
const mostKeys = 500;
const mostNodes = 20_000;
const longestText = 200;

/** What names a row, the likeliest first. */
const naming = ["id", "name", "key", "slug", "path", "uri", "code", "title"];
/** Parameters that are called by many names. */
const synonyms: readonly (readonly string[])[] = [
  ["path", "file", "file_path", "filename", "file_name", "filepath"],
  ["uri", "url", "link", "href"],
];

/** Remembers what answers held under which key, so that an id found in a list can be asked for. */
export class ValuePool {
  readonly #given = new Map<string, Set<unknown>>();
  readonly #seen = new Map<string, Set<unknown>>();

  /** Remembers the texts and numbers of an answer. */
  learn(data: unknown): void {
    const waiting: { readonly value: unknown; readonly key: string }[] = [{ value: data, key: "" }];
    // First what is near the root: it is what the answer is about.
    for (let next = 0; next < waiting.length && next < mostNodes; next++) {
      const node = waiting[next];
      if (node === undefined) break;
      const { value, key } = node;
      if (Array.isArray(value)) {
        for (const item of value.slice(0, mostNodes)) waiting.push({ value: item, key });
      } else if (typeof value === "object" && value !== null) {
        this.#learnRow(value, key, waiting);
      } else if (key !== "") {
        add(this.#seen, toKeyWords(key), value);
      }
    }
  }

  /** Values that the user gives for a parameter; they go before all that was seen. */
  give(name: string, values: readonly unknown[]): void {
    const given = this.#given.get(name) ?? new Set();
    for (const value of values) given.add(value);
    this.#given.set(name, given);
  }

  /** What the user gave for a parameter. */
  given(name: string): readonly unknown[] {
    return [...(this.#given.get(name) ?? [])];
  }

  /** Values for a parameter: given ones, those of its own key, then those of keys that are like it. */
  candidates(name: string): readonly unknown[] {
    const words = toKeyWords(name);
    const keys = [words, ...keysLike(words)];
    if (words === "id") keys.push(...[...this.#seen.keys()].filter((key) => /[_/]id$/.test(key)));
    const seen = keys.flatMap((key) => [...(this.#seen.get(key) ?? [])]);
    return [...new Set([...this.given(name), ...seen])].slice(
      0,
      Math.max(mostValues, this.given(name).length),
    );
  }

  #learnRow(row: object, key: string, waiting: { value: unknown; key: string }[]): void {
    const owner = toKeyWords(key);
    for (const [name, value] of Object.entries(row)) {
      if (waiting.length > 2 * mostNodes) return;
      waiting.push({ value, key: name });
      if (owner === "") continue;
      const words = toKeyWords(name);
      if (naming.includes(words)) add(this.#seen, `${owner}/${words}`, value);
      // Some answers list by key: `berths: { "b-1": … }`.
      else if (isPlural(key)) add(this.#seen, `${owner}/`, name);
    }
  }
}

/** Where to look besides the parameter's own key, the surest first. */
function keysLike(words: string): readonly string[] {
  const own = synonyms.find((names) => names.includes(words)) ?? [];
  const parts = words.split("_");
  const last = parts.at(-1) ?? "";
  const isNamed = parts.length > 1 && naming.includes(last);
  const owner = isNamed ? parts.slice(0, -1) : parts;
  const order = isNamed ? [last, ...naming.filter((name) => name !== last)] : naming;
  // `parent_spec_id` is a spec's id as well.
  const owners = owner.map((_, index) => owner.slice(index).join("_"));
  const rows = owners.flatMap((one) => [
    ...(isNamed ? [`${one}_${last}`] : [one]),
    ...order.flatMap((name) => [`${one}/${name}`, `${one}_${name}`]),
    ...(isNamed ? [one] : []),
    `${one}/`,
  ]);
  return [...own, ...rows, ...(isNamed ? [last] : [])];
}

function add(values: Map<string, Set<unknown>>, key: string, value: unknown): void {
  const isText = typeof value === "string" && value !== "" && value.length <= longestText;
  if (!isText && !(typeof value === "number" && Number.isFinite(value))) return;
  const known = values.get(key);
  if (known === undefined) {
    if (values.size < mostKeys) values.set(key, new Set([value]));
  } else if (known.size < mostValues) {
    known.add(value);
  }
}
