/** True when no text and no key of a JSON value holds half a surrogate pair. */
export function isWellFormedJson(root: object): boolean {
  const stack: object[] = [root];
  while (stack.length > 0) {
    const node = stack.pop() as Record<string, unknown>;
    for (const key in node) {
      const value = node[key];
      if (!key.isWellFormed() || (typeof value === "string" && !value.isWellFormed())) return false;
      if (typeof value === "object" && value !== null) stack.push(value);
    }
  }
  return true;
}
