const maxLength = 60;

/** Formats a value for a message. The result is on one line, and a long value is truncated. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  const points = [...value.slice(0, 2 * maxLength + 2)];
  const isLong = points.length > maxLength;
  // Control characters would break the line or change the state of the terminal.
  const plain = (isLong ? points.slice(0, maxLength).join("") : value).replaceAll(/\p{Cc}/gu, " ");
  return `'${plain}${isLong ? "…" : ""}'`;
}
