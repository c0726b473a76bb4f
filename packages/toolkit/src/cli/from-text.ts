import type { TextSource } from "./text-source.ts";
import { admits, isList, isText, isTextOrNull, type ValueForm } from "./value-form.ts";

/**
 * The value that the texts of one option stand for. Nothing is judged here: what has the wrong type is
 * passed on as it is, so that the path refuses it in the words that every surface hears.
 */
export function fromTexts(
  texts: readonly string[],
  form: ValueForm,
  source: TextSource = "reference",
): unknown {
  const [first = ""] = texts;
  // Whatever a file holds is the text, also the word null.
  if (source === "file") return first;
  if (!form.types.has("array")) return fromText(first, form);
  const items = form.items ?? form;
  // A word that stands for itself is one item, also where it looks like a list.
  if (texts.length > 1 || (source === "literal" && isList(form)))
    return texts.map((text) => fromText(text, items));
  const whole = parseJson(first);
  if (Array.isArray(whole?.value)) return whole.value;
  return isList(form) ? [fromText(first, items)] : fromText(first, form);
}

/** The value of one text: JSON where the form wants more than a text. */
export function fromText(text: string, form: ValueForm): unknown {
  if (isText(form)) return text;
  if (isTextOrNull(form)) return text === "null" ? null : text;
  const parsed = parseJson(text);
  if (parsed === undefined) return text;
  return admits(form, parsed.value) || !form.types.has("string") ? parsed.value : text;
}

/** What a JSON text holds; undefined where it is none. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
