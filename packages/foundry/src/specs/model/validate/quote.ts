const maxLength = 60;

/** Formats a value for a message: on one line, and truncated if it is long. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  const points = [...value.slice(0, 2 * maxLength + 2)];
  const isLong = points.length > maxLength;
  // Control characters would break the line or the terminal.
  const plain = (isLong ? points.slice(0, maxLength).join("") : value).replaceAll(/\p{Cc}/gu, " ");
  return `'${plain}${isLong ? "…" : ""}'`;
}
