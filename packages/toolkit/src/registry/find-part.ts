import { ownIdOf } from "@foundry-mcp/contract/budget";

/** A part of a payload that an answer left out, by the name it gave: a JSON Pointer, or the part's own id. */
export function findPart(data: unknown, contentId: string): { readonly value: unknown } | undefined {
  return (contentId.startsWith("/") ? resolve(data, contentId) : undefined) ?? findById(data, contentId);
}

function resolve(root: unknown, pointer: string): { readonly value: unknown } | undefined {
  let value = root;
  for (const step of pointer.slice(1).split("/")) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    // An array has more of its own than its items.
    if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return { value };
}

/** The first part with that id, those nearer to the root first; a stack would not hold every depth. */
function findById(root: unknown, id: string): { readonly value: unknown } | undefined {
  let level: readonly unknown[] = [root];
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const container of level) {
      for (const value of Object.values(container as object)) {
        if (typeof value !== "object" || value === null) continue;
        if (ownIdOf(value) === id) return { value };
        next.push(value);
      }
    }
    level = next;
  }
  return undefined;
}
