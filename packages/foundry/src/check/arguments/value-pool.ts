import type { UnknownRecord } from "@foundry-mcp/contract";
import { getOwn, schemaTypes } from "../schemas/json-schema.ts";

const maxValues = 50;
const maxKeys = 500;
const maxNodes = 20_000;
const maxTextLength = 200;
/** One longer text is kept for so many keys: what a server exports it may import. */
const maxLongTexts = 50;
const maxLongTextLength = 20_000;

/** Keys that identify a row, the likeliest first. */
const identifyingKeys = ["id", "name", "key", "slug", "path", "uri", "code", "title"];
/** Parameters with several common names. */
const synonyms: readonly (readonly string[])[] = [
  ["path", "file", "file_path", "filename", "file_name", "filepath"],
  ["uri", "url", "link", "href"],
];

interface Node {
  readonly value: unknown;
  /** The key of the value, or of the list that it is in. */
  readonly key: string;
  readonly isRow: boolean;
}

/** Collects values from answers by key, so that an id found in a list can be used as an argument. */
export class ValuePool {
  readonly #given = new Map<string, Set<unknown>>();
  readonly #seen = new Map<string, Set<unknown>>();
  /** Keys of lists that were empty. */
  readonly #empty = new Set<string>();
  readonly #longTexts = new Map<string, string>();

  /** Collects the texts and numbers of an answer, without those of `sent`: an echo of a made-up value is no data. */
  learn(data: unknown, sent: readonly unknown[] = []): void {
    const queue: Node[] = [{ value: data, key: "", isRow: false }];
    // Breadth first: values near the root are the most relevant.
    for (let next = 0; next < queue.length; next++) {
      const node = queue[next];
      if (node === undefined) break;
      const { value, key } = node;
      const room = maxNodes - queue.length;
      if (Array.isArray(value)) {
        if (value.length === 0 && this.#empty.size < maxKeys) this.#empty.add(normalizeKey(key));
        if (room > 0) for (const item of value.slice(0, room)) queue.push({ value: item, key, isRow: true });
      } else if (typeof value === "object" && value !== null) {
        queue.push(...this.#learnObject(value, node, sent).slice(0, Math.max(0, room)));
      } else if (key !== "" && !sent.includes(value)) {
        add(this.#seen, normalizeKey(key), value);
        this.#keepLongText(normalizeKey(key), value);
      }
    }
  }

  /** Returns a text of an answer under the key of a parameter that is too long to be an id. */
  longText(name: string): string | undefined {
    return this.#longTexts.get(normalizeKey(name));
  }

  #keepLongText(key: string, value: unknown): void {
    if (typeof value !== "string" || value.length <= maxTextLength || value.length > maxLongTextLength)
      return;
    if (this.#longTexts.size < maxLongTexts && !this.#longTexts.has(key)) this.#longTexts.set(key, value);
  }

  /** Adds values that the user gives for a parameter; they come before collected ones. */
  give(name: string, values: readonly unknown[]): void {
    const given = this.#given.get(name) ?? new Set();
    for (const value of values) given.add(value);
    this.#given.set(name, given);
  }

  /** Returns the values that the user gave for a parameter. */
  given(name: string): readonly unknown[] {
    return [...(this.#given.get(name) ?? [])];
  }

  /** Returns true if an answer held a value of a parameter: under its name, or as the id of what it names. */
  knows(name: string): boolean {
    return this.given(name).length > 0 || ownKeys(normalizeKey(name)).some((key) => this.#seen.has(key));
  }

  /** Returns true if a list of what a parameter names was empty, and no answer has named any: `specs: []`. */
  lacks(name: string): boolean {
    const words = normalizeKey(name);
    const keys = [words, words.replace(/_[^_]+$/, "")];
    return keys.some((key) => this.#empty.has(key)) && !this.knows(name);
  }

  /** Returns values for a parameter: given ones, those of its key, then those of similar keys. */
  candidates(name: string): readonly unknown[] {
    const words = normalizeKey(name);
    const keys = [words, ...keysLike(words)];
    if (words === "id") keys.push(...[...this.#seen.keys()].filter((key) => /[_/]id$/.test(key)));
    const own = ownKeys(words).filter((key) => keys.includes(key));
    const valuesOf = (some: readonly string[]) => some.flatMap((key) => [...(this.#seen.get(key) ?? [])]);
    const similar = valuesOf(keys.filter((key) => !own.includes(key)));
    // Many ids begin with what they name: `task-7` is tried for `task_id` before `phase-1`.
    const [start = ""] = words.split("_");
    const isNamed = (value: unknown) => typeof value === "string" && value.toLowerCase().startsWith(start);
    const likely = [...valuesOf(own), ...(start === words ? [] : similar.filter(isNamed)), ...similar];
    return [...new Set([...this.given(name), ...likely])].slice(
      0,
      Math.max(maxValues, this.given(name).length),
    );
  }

  /** Collects identifying keys of an object and returns its members. */
  #learnObject(object: object, { key, isRow }: Node, sent: readonly unknown[]): readonly Node[] {
    const owner = normalizeKey(key);
    const names = Object.keys(object).slice(0, maxNodes);
    // Some answers map ids to rows: `berths: { "b-1": … }`. The JSON Schema of a list does not.
    const isMap = isPlural(key) && !isRow && !schemaTypes.some((type) => type === getOwn(object, "type"));
    return names.map((name) => {
      const value: unknown = (object as UnknownRecord)[name];
      const words = normalizeKey(name);
      if (sent.includes(value)) return { value, key: name, isRow: false };
      if (owner !== "" && identifyingKeys.includes(words)) add(this.#seen, `${owner}/${words}`, value);
      else if (isMap) add(this.#seen, `${owner}/`, name);
      return { value, key: name, isRow: false };
    });
  }
}

/** Returns the keys of a parameter itself: `spec_id`, and the id of a `spec`. */
function ownKeys(words: string): readonly string[] {
  const owner = words.replace(/_[^_]+$/, "");
  return [words, ...identifyingKeys.map((key) => `${owner}/${key}`), `${owner}/`];
}

/** Returns keys similar to that of a parameter, the most certain first. */
function keysLike(words: string): readonly string[] {
  const own = synonyms.find((names) => names.includes(words)) ?? [];
  const parts = words.split("_");
  const last = parts.at(-1) ?? "";
  const isNamed = parts.length > 1 && identifyingKeys.includes(last);
  const owner = isNamed ? parts.slice(0, -1) : parts;
  const order = isNamed ? [last, ...identifyingKeys.filter((name) => name !== last)] : identifyingKeys;
  // `parent_spec_id` is also the id of a spec.
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
  const isText = typeof value === "string" && value !== "" && value.length <= maxTextLength;
  if (!isText && !(typeof value === "number" && Number.isFinite(value))) return;
  const known = values.get(key);
  if (known === undefined) {
    if (values.size < maxKeys) values.set(key, new Set([value]));
  } else if (known.size < maxValues) {
    known.add(value);
  }
}

const maxKeyLength = 100;

/** Normalizes a key to singular words in snake case: `specIds`, `spec-ids` and `SPEC_ID` are `spec_id`. */
export function normalizeKey(key: string): string {
  return key
    .slice(0, maxKeyLength)
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(toSingular)
    .join("_");
}

/** Returns true if the last word of a key is a plural. */
export function isPlural(key: string): boolean {
  const last = key.slice(-maxKeyLength).toLowerCase();
  return toSingular(last) !== last;
}

function toSingular(word: string): string {
  if (word.length < 3) return word;
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (/(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
