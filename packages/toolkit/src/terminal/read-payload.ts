import type { UnknownRecord } from "@foundry-mcp/contract";

// A payload may have been reduced to fit a budget, or may come from an older or a hostile server. So a view
// cannot rely on the types of its members. Each function returns a value if it has the expected type, and an
// empty value otherwise.

export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

export function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

export function recordOf(value: unknown): UnknownRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as UnknownRecord) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Returns only those members of a list that are objects. */
export function recordsOf(value: unknown): readonly UnknownRecord[] {
  return listOf(value).filter(
    (each): each is UnknownRecord => typeof each === "object" && each !== null && !Array.isArray(each),
  );
}

/** Returns the members of a list that are texts or numbers and not empty; a single text is a list of one. */
export function textsOf(value: unknown): readonly string[] {
  const values = typeof value === "string" ? [value] : listOf(value);
  return values.map(textOf).filter((text) => text !== "");
}
