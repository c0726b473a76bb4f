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

/**
 * The first part with that id, in the order of the text: names are given so that it is the part that was
 * meant. The stack is a list, for calls would not hold every depth.
 */
function findById(root: unknown, id: string): { readonly value: unknown } | undefined {
  const ahead = [root];
  while (ahead.length > 0) {
    const value = ahead.pop();
    if (value !== root && ownIdOf(value) === id) return { value };
    const inner = Object.values(value as object);
    for (let index = inner.length - 1; index >= 0; index--) {
      const part: unknown = inner[index];
      if (typeof part === "object" && part !== null) ahead.push(part);
    }
  }
  return undefined;
}
