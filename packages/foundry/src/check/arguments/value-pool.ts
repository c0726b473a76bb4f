import type { UnknownRecord } from "@foundry-mcp/contract";

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

interface Node {
  readonly value: unknown;
  /** The key that it stands under, itself or with the rest of a list. */
  readonly key: string;
  readonly isRow: boolean;
}

/** Remembers what answers held under which key, so that an id found in a list can be asked for. */
export class ValuePool {
  readonly #given = new Map<string, Set<unknown>>();
  readonly #seen = new Map<string, Set<unknown>>();

  /** Remembers the texts and numbers of an answer. */
  learn(data: unknown): void {
    const waiting: Node[] = [{ value: data, key: "", isRow: false }];
    // First what is near the root: it is what the answer is about.
    for (let next = 0; next < waiting.length; next++) {
      const node = waiting[next];
      if (node === undefined) break;
      const { value, key } = node;
      const room = mostNodes - waiting.length;
      if (Array.isArray(value)) {
        if (room > 0)
          for (const item of value.slice(0, room)) waiting.push({ value: item, key, isRow: true });
      } else if (typeof value === "object" && value !== null) {
        waiting.push(...this.#learnObject(value, node).slice(0, Math.max(0, room)));
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

  /** What is to be learned from next. */
  #learnObject(object: object, { key, isRow }: Node): readonly Node[] {
    const owner = toKeyWords(key);
    const names = Object.keys(object).slice(0, mostNodes);
    return names.map((name) => {
      const value: unknown = (object as UnknownRecord)[name];
      const words = toKeyWords(name);
      if (owner !== "" && naming.includes(words)) add(this.#seen, `${owner}/${words}`, value);
      // Some answers list by key: `berths: { "b-1": … }`.
      else if (isPlural(key) && !isRow) add(this.#seen, `${owner}/`, name);
      return { value, key: name, isRow: false };
    });
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

const longestKey = 100;

/** A key as words of small letters, each singular: `specIds`, `spec-ids` and `SPEC_ID` are all `spec_id`. */
export function toKeyWords(key: string): string {
  return key
    .slice(0, longestKey)
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(toSingular)
    .join("_");
}

/** True for a key whose last word is a plural. */
export function isPlural(key: string): boolean {
  const last = key.slice(-longestKey).toLowerCase();
  return toSingular(last) !== last;
}

function toSingular(word: string): string {
  if (word.length < 3) return word;
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (/(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
