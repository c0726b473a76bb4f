/** The most characters of a value that a diff shows. */
const maxShown = 500;

/** A value as a diff shows it: what is long is cut, and told as text. */
export function shorten(value: unknown): unknown {
  if (typeof value === "string") return truncate(value);
  if (typeof value !== "object" || value === null) return value;
  const text = print(value);
  return text.length > maxShown ? truncate(text) : value;
}

/** A text, or its beginning and a sign that there is more. */
export function truncate(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown).toWellFormed()}…` : text;
}

function print(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Lists in lists, thousands deep.
    return "[".repeat(maxShown + 1);
  }
}
