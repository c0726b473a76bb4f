import { looksSecret } from "./looks-secret.ts";

/** A short line of letters, digits and few signs: it can hold no code, no markup and no path. */
const quotable = /^[\p{L}\p{N}][\p{L}\p{N} ._:@!-]{0,63}$/u;
/** Where an argument lies: names with their places in lists, or an option of a command line. */
const quotableField = /^-{0,2}[\p{L}\p{N}_$][\p{L}\p{M}\p{N} ._:@!$/[\]-]{0,199}$/u;
/** Ids may also be paths, JSON Pointers and hashes. */
const quotableId = /^[\p{L}\p{M}\p{N} ._:@!/#+~,-]{1,128}$/u;

/** True for a value or a name of a caller that an error may repeat; others are described by type and length. */
export function isQuotable(text: string): boolean {
  return typeof text === "string" && quotable.test(text) && !looksSecret(text);
}

/** Returns a name that a caller chose as a message quotes it: in quotation marks, else only its length. */
export function quoteName(name: string): string {
  return isQuotable(toBareName(name)) ? JSON.stringify(name) : `(a text of ${name.length} characters)`;
}

/** Returns the place of an argument; one whose name the caller chose only where that name may be repeated. */
export function quoteField(field: unknown, isUnknown: boolean): string {
  const text = typeof field === "string" ? field : "";
  const isSafe = isUnknown ? isQuotable(toBareName(text)) : quotableField.test(text) && !looksSecret(text);
  return isSafe ? text : describeValue(field);
}

/** Returns an id as an error repeats it: itself where it is short and of one line, else its type and length. */
export function quoteId(id: unknown): string {
  // The text of a list is made by recursion, and an object may have a toString of its own.
  if (typeof id === "object" && id !== null) return describeValue(id);
  const text = String(id).toWellFormed();
  const isSafe = quotableId.test(text) && !looksSecret(text.replace(/\b[0-9a-f]{32,}\b/g, ""));
  return isSafe ? text : describeValue(id);
}

/** The type and the size of a value that must not be repeated. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return `string of ${value.length} characters`;
  if (Array.isArray(value)) return `array of ${value.length} items`;
  return typeof value === "object" ? "object" : typeof value;
}

/** A name without places in lists, and an option without its dashes. */
function toBareName(name: string): string {
  return name.replace(/^--?(?!-)/, "").replace(/\[\d+\]/g, "");
}
