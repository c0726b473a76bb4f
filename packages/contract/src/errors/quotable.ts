import { looksSecret } from "./looks-secret.ts";

/**
 * A text that errors may quote: one short line of letters, digits and a few punctuation marks. Such a text cannot
 * contain code, markup or a path.
 */
const quotable = /^[\p{L}\p{N}][\p{L}\p{N} ._:@!-]{0,63}$/u;
/**
 * The path of an argument that errors may quote: names with list indexes, or an option or operand of a command line.
 */
const quotableField = /^(?:-{0,2}[\p{L}\p{N}_$][\p{L}\p{M}\p{N} ._:@!$/[\]-]{0,199}|<[\w-]{1,100}>)$/u;
/** An id that errors may quote. Ids may also be paths, JSON Pointers and hashes. */
const quotableId = /^[\p{L}\p{M}\p{N} ._:@!/#+~,-]{1,128}$/u;

/** Returns true for a value or name that an error may quote. Other values are described by their type and length. */
export function isQuotable(text: string): boolean {
  return typeof text === "string" && quotable.test(text) && !looksSecret(text);
}

/** Formats a name that the caller chose. The name is quoted if that is safe; otherwise only its length is shown. */
export function quoteName(name: string): string {
  return isQuotable(toBareName(name)) ? JSON.stringify(name) : `(a text of ${name.length} characters)`;
}

/**
 * Returns the path of an argument, or a description of its type and length if quoting it is not safe. The rules are
 * stricter for an unknown argument, because its name comes from the caller.
 */
export function quoteField(field: unknown, isUnknown: boolean): string {
  const text = typeof field === "string" ? field : "";
  const isSafe = isUnknown ? isQuotable(toBareName(text)) : quotableField.test(text) && !looksSecret(text);
  return isSafe ? text : describeValue(field);
}

/**
 * Formats an id for an error: unchanged if the id is a short single line and does not look secret, otherwise its
 * type and length.
 */
export function quoteId(id: unknown): string {
  // Objects and lists are not passed to `String`, because `String` recurses into lists and calls the toString
  // method of objects.
  if (typeof id === "object" && id !== null) return describeValue(id);
  const text = String(id).toWellFormed();
  const isSafe = quotableId.test(text) && !looksSecret(text.replace(/\b[0-9a-f]{32,}\b/g, ""));
  return isSafe ? text : describeValue(id);
}

/** Describes a value that must not be quoted: returns its type and size. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return `string of ${value.length} characters`;
  if (Array.isArray(value)) return `array of ${value.length} items`;
  return typeof value === "object" ? "object" : typeof value;
}

/** Removes list indexes, and the leading dashes of a command-line option. */
function toBareName(name: string): string {
  return name.replace(/^--?(?!-)/, "").replace(/\[\d+\]/g, "");
}
