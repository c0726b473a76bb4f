import { pluralize } from "./terminal-text.ts";

/** Formats a value in one line of words; undefined for a value with nested objects or lists. */
export function toWords(value: unknown): string | undefined {
  if (value === undefined) return "";
  if (value === null) return "-";
  if (typeof value !== "object") return String(value);
  const members = Array.isArray(value)
    ? value.map((each: unknown) => ["", each] as const)
    : Object.entries(value);
  if (members.length === 0) return "none";
  const words: string[] = [];
  for (const [key, member] of members) {
    if (typeof member === "object" && member !== null) return undefined;
    words.push(key === "" ? String(member ?? "-") : `${key} ${String(member ?? "-")}`);
  }
  return words.join(", ");
}

/** Formats any value in one line of words without JSON. */
export function wordsOf(value: unknown): string {
  const words = toWords(value);
  if (words !== undefined) return words;
  return Array.isArray(value)
    ? pluralize(value.length, "item")
    : pluralize(Object.keys(value as object).length, "field");
}
