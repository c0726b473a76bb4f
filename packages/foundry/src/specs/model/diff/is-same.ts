import { isRecord } from "@foundry-mcp/contract";

/** True where two values of JSON say the same; the order of keys says nothing. However deep they are. */
export function isEqualJson(first: unknown, second: unknown): boolean {
  const pairs: [unknown, unknown][] = [[first, second]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false;
      for (const [index, each] of a.entries()) pairs.push([each, b[index]]);
    } else if (isRecord(a) && isRecord(b)) {
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        pairs.push([a[key], b[key]]);
      }
    } else return false;
  }
  return true;
}
