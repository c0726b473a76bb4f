const longest = 60;

/** A value of a file as a message shows it: on one line, and cut where it is long. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  const points = [...value.slice(0, 2 * longest + 2)];
  const isLong = points.length > longest;
  // Control characters would break the line, or the terminal that it is shown on.
  const plain = (isLong ? points.slice(0, longest).join("") : value).replaceAll(/\p{Cc}/gu, " ");
  return `'${plain}${isLong ? "…" : ""}'`;
}
