import { isDeepStrictEqual } from "node:util";
import type { Parameter } from "../catalogue/input-shape.ts";
import type { TextSource } from "./text-source.ts";

type JsonSchema = Parameter["json"];

/** The types of JSON values. */
export type JsonType = "string" | "number" | "boolean" | "array" | "object" | "null";

/** The part of a parameter's schema that is needed to parse a text from the command line. */
export interface ValueForm {
  readonly types: ReadonlySet<JsonType>;
  /** The allowed values, if the schema lists them. */
  readonly choices: readonly unknown[] | undefined;
  /** The form of the items of a list. */
  readonly items: ValueForm | undefined;
  /** True if numbers must be integers. */
  readonly isInteger: boolean;
}

const everyType: readonly JsonType[] = ["string", "number", "boolean", "array", "object", "null"];

/** Derives the form of a parameter; `definitions` are the `$defs` of its schema. */
export function toValueForm({ json, keepsNull }: Parameter, definitions: unknown): ValueForm {
  const form = readForm(json, definitions, 0);
  // No text is parsed as null, because for most parameters null means that the parameter is absent.
  if (keepsNull || !form.types.has("null") || form.types.size === 1) return form;
  const types = new Set([...form.types].filter((type) => type !== "null"));
  return { ...form, types, choices: form.choices?.filter((choice) => choice !== null) };
}

/** True if every text is taken unchanged as the value. */
export function isText({ types }: ValueForm): boolean {
  return types.size === 1 && types.has("string");
}

/** True if every text except `null` is taken unchanged as the value. */
export function isTextOrNull({ types }: ValueForm): boolean {
  return types.size === 2 && types.has("string") && types.has("null");
}

/** True for a boolean, which is written `--x` or `--no-x`. */
export function isFlag({ types }: ValueForm): boolean {
  return types.size === 1 && types.has("boolean");
}

/** True if the value must be a list, so that the option may be repeated. */
export function isList({ types }: ValueForm): boolean {
  return types.size === 1 && types.has("array");
}

/** True if a value has one of the types and is one of the choices, if there are any. */
export function admits({ types, choices }: ValueForm, value: unknown): boolean {
  if (!types.has(typeOf(value))) return false;
  return choices === undefined || choices.some((choice) => isDeepStrictEqual(choice, value));
}

function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as JsonType);
}

/**
 * The maximum depth to which a schema is read. The depth must be limited, because a schema may refer to
 * itself.
 */
const maxDepth = 8;

function readForm(json: JsonSchema, definitions: unknown, level: number): ValueForm {
  const { $ref, type, enum: listed, const: only, anyOf, oneOf, allOf, items } = json;
  if (level > maxDepth) return anyForm;
  const read = (inner: unknown) => readForm((inner ?? {}) as JsonSchema, definitions, level + 1);
  if (typeof $ref === "string") return read(resolve($ref, definitions));
  const choices = Array.isArray(listed) ? listed : only === undefined ? undefined : [only];
  if (choices !== undefined) return { ...anyForm, types: new Set(choices.map(typeOf)), choices };
  const forms = [anyOf, oneOf].find(Array.isArray)?.map(read);
  if (forms !== undefined) return unite(forms);
  if (Array.isArray(allOf) && type === undefined) return allOf.map(read).reduce(intersect, anyForm);
  const names = (type === undefined ? everyType : [type].flat()) as readonly string[];
  const types = new Set(names.map((name) => (name === "integer" ? "number" : name) as JsonType));
  const itemForm = types.has("array") ? (items === undefined ? anyForm : read(items)) : undefined;
  return { types, choices: undefined, items: itemForm, isInteger: names.includes("integer") };
}

const anyForm: ValueForm = {
  types: new Set(everyType),
  choices: undefined,
  items: undefined,
  isInteger: false,
};

function unite(forms: readonly ValueForm[]): ValueForm {
  const isClosed = forms.every(({ choices, types }) => choices !== undefined || isOnlyNull(types));
  return {
    types: new Set(forms.flatMap(({ types }) => [...types])),
    choices: isClosed ? forms.flatMap(({ choices }) => choices ?? [null]) : undefined,
    items: forms.find(({ items }) => items !== undefined)?.items,
    isInteger: forms.every(({ isInteger, types }) => isInteger || !types.has("number")),
  };
}

function intersect(a: ValueForm, b: ValueForm): ValueForm {
  return {
    types: new Set([...a.types].filter((type) => b.types.has(type))),
    choices: a.choices ?? b.choices,
    items: a.items ?? b.items,
    isInteger: a.isInteger || b.isInteger,
  };
}

function isOnlyNull(types: ReadonlySet<JsonType>): boolean {
  return types.size === 1 && types.has("null");
}

function resolve(reference: string, definitions: unknown): unknown {
  const name = reference.startsWith("#/$defs/") ? reference.slice("#/$defs/".length) : "";
  return (definitions as Record<string, unknown> | undefined)?.[name];
}

/**
 * Parses the texts of one option. A value of the wrong type is returned unchanged, so that dispatch refuses it with the
 * same error as on every surface.
 */
export function fromTexts(
  texts: readonly string[],
  form: ValueForm,
  source: TextSource = "reference",
): unknown {
  const [first = ""] = texts;
  // The content of a file is used as the text, even if the content is the word null.
  if (source === "file") return first;
  if (!form.types.has("array")) return fromText(first, form);
  const items = form.items ?? form;
  // A literal word is one item, even if it looks like a list.
  if (texts.length > 1 || (source === "literal" && isList(form)))
    return texts.map((text) => fromText(text, items));
  const whole = parseJson(first);
  if (Array.isArray(whole?.value)) return whole.value;
  return isList(form) ? [fromText(first, items)] : fromText(first, form);
}

/** Parses one text; if the form allows values other than texts, the text may be JSON. */
export function fromText(text: string, form: ValueForm): unknown {
  if (isText(form)) return text;
  if (isTextOrNull(form)) return text === "null" ? null : text;
  const parsed = parseJson(text);
  if (parsed === undefined) return text;
  return admits(form, parsed.value) || !form.types.has("string") ? parsed.value : text;
}

/** Parses JSON; undefined for other texts. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
