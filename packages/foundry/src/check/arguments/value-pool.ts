import type { UnknownRecord } from "@foundry-mcp/contract";
import { getOwn, schemaTypes } from "../schemas/json-schema.ts";
import { TokenLinks } from "./token-links.ts";

const maxValues = 50;
const maxKeys = 500;
const maxNodes = 20_000;
const maxTextLength = 200;
/**
 * Maximum number of long texts to keep, one for each key. Long texts are kept because a server may import
 * the text that it exports.
 */
const maxLongTexts = 50;
const maxLongTextLength = 20_000;

/** Keys whose values identify an object, the likeliest first. */
const identifyingKeys = ["id", "name", "key", "slug", "path", "uri", "code", "title"];
/** Groups of parameter names that mean the same. */
const synonyms: readonly (readonly string[])[] = [
  ["path", "file", "file_path", "filename", "file_name", "filepath"],
  ["uri", "url", "link", "href"],
];

interface Node {
  readonly value: unknown;
  /** The key under which the value was found, or the key of the list that contains the value. */
  readonly key: string;
  readonly isRow: boolean;
}

/** Collects values from answers by key, so that an id found in a list can be used as an argument. */
export class ValuePool {
  readonly #given = new Map<string, Set<unknown>>();
  readonly #seen = new Map<string, Set<unknown>>();
  /** Keys under which an answer contained an empty list. */
  readonly #empty = new Set<string>();
  readonly #longTexts = new Map<string, string>();
  readonly #tokens = new TokenLinks();

  /**
   * Collects the texts and numbers of an answer. Values in `sent` are left out, because an echo of a
   * made-up argument is not data.
   */
  learn(data: unknown, sent: readonly unknown[] = []): void {
    const queue: Node[] = [{ value: data, key: "", isRow: false }];
    // The search is breadth-first, because values near the root are the most relevant.
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

  /** Forgets a value from answers, because the object that it names no longer exists. */
  forget(value: unknown): void {
    for (const values of this.#seen.values()) values.delete(value);
  }

  /** Returns a text that is too long to be an id, found in an answer under the key of a parameter. */
  longText(name: string): string | undefined {
    return this.#longTexts.get(normalizeKey(name));
  }

  /** Returns the keys under which answers contained tokens. */
  get tokenNames(): readonly string[] {
    return this.#tokens.names;
  }

  /** Returns the token that an answer contained together with the ids in the arguments. */
  tokenFor(name: string, args: UnknownRecord): string | undefined {
    return this.#tokens.find(name, args);
  }

  #keepLongText(key: string, value: unknown): void {
    if (typeof value !== "string" || value.length <= maxTextLength || value.length > maxLongTextLength)
      return;
    if (this.#longTexts.size < maxLongTexts && !this.#longTexts.has(key)) this.#longTexts.set(key, value);
  }

  /**
   * Adds values that the user provides for a parameter. Provided values take precedence over collected
   * values.
   */
  give(name: string, values: readonly unknown[]): void {
    const given = this.#given.get(name) ?? new Set();
    for (const value of values) given.add(value);
    this.#given.set(name, given);
  }

  /** Returns the values that the user provided for a parameter. */
  given(name: string): readonly unknown[] {
    return [...(this.#given.get(name) ?? [])];
  }

  /**
   * Returns true if the user or an answer provided a value for a parameter. An answer provides the value
   * under the name of the parameter or as the id of the object that the parameter refers to.
   */
  knows(name: string): boolean {
    return this.given(name).length > 0 || ownKeys(normalizeKey(name)).some((key) => this.#seen.has(key));
  }

  /**
   * Returns true if a list of the objects that a parameter refers to was empty (`specs: []`) and no answer
   * named such an object.
   */
  lacks(name: string): boolean {
    const words = normalizeKey(name);
    const keys = [words, words.replace(/_[^_]+$/, "")];
    return keys.some((key) => this.#empty.has(key)) && !this.knows(name);
  }

  /**
   * Returns values for a parameter in this order: values from the user, values under the key of the
   * parameter, values under similar keys.
   */
  candidates(name: string): readonly unknown[] {
    const words = normalizeKey(name);
    const keys = [words, ...keysLike(words)];
    if (words === "id") keys.push(...[...this.#seen.keys()].filter((key) => /[_/]id$/.test(key)));
    const own = ownKeys(words).filter((key) => keys.includes(key));
    const valuesOf = (some: readonly string[]) => some.flatMap((key) => [...(this.#seen.get(key) ?? [])]);
    const similar = valuesOf(keys.filter((key) => !own.includes(key)));
    // Many ids begin with the kind of object, so `task-7` is tried for `task_id` before `phase-1`.
    const [start = ""] = words.split("_");
    const isNamed = (value: unknown) => typeof value === "string" && value.toLowerCase().startsWith(start);
    const likely = [...valuesOf(own), ...(start === words ? [] : similar.filter(isNamed)), ...similar];
    return [...new Set([...this.given(name), ...likely])].slice(
      0,
      Math.max(maxValues, this.given(name).length),
    );
  }

  /**
   * Collects the values under the identifying keys of an object. Returns all values of the object with
   * their keys.
   */
  #learnObject(object: object, { key, isRow }: Node, sent: readonly unknown[]): readonly Node[] {
    const owner = normalizeKey(key);
    // The examples in a schema may name objects that do not exist.
    const names = Object.keys(object)
      .filter((name) => name !== "examples")
      .slice(0, maxNodes);
    this.#tokens.learn(object, names);
    // Some answers map ids to objects, for example `berths: { "b-1": … }`. An object with the `type` of a
    // JSON Schema is not a map of ids.
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

/**
 * Returns the keys that match a parameter exactly. For `spec_id`, `spec_id` and the `id` of a `spec` match.
 */
function ownKeys(words: string): readonly string[] {
  const owner = words.replace(/_[^_]+$/, "");
  return [words, ...identifyingKeys.map((key) => `${owner}/${key}`), `${owner}/`];
}

/** Returns keys similar to the key of a parameter, the most certain first. */
function keysLike(words: string): readonly string[] {
  const own = synonyms.find((names) => names.includes(words)) ?? [];
  const parts = words.split("_");
  const last = parts.at(-1) ?? "";
  const isNamed = parts.length > 1 && identifyingKeys.includes(last);
  const owner = isNamed ? parts.slice(0, -1) : parts;
  const order = isNamed ? [last, ...identifyingKeys.filter((name) => name !== last)] : identifyingKeys;
  // A parameter such as `parent_spec_id` is also the id of a spec.
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

/**
 * Normalizes a key to singular words in snake case. `specIds`, `spec-ids` and `SPEC_ID` become `spec_id`.
 */
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
