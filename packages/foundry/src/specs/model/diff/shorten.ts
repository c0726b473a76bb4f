/** The most characters of a value that a diff shows. */
const longest = 500;

/** A value as a diff shows it: what is long is cut, and told as text. */
export function shorten(value: unknown): unknown {
  if (typeof value === "string") return cut(value);
  if (typeof value !== "object" || value === null) return value;
  const text = print(value);
  return text.length > longest ? cut(text) : value;
}

/** A text, or its beginning and a sign that there is more. */
export function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}

function print(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Lists in lists, thousands deep.
    return "[".repeat(longest + 1);
  }
}
