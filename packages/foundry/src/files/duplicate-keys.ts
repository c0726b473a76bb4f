import { parseJsonText } from "@foundry-mcp/contract/input";

const token = /[ \t\n\r]*(?:([{}[\],:])|("[^"\\]*(?:\\.[^"\\]*)*")|[^\s{}[\],:"]+)/y;

interface Open {
  /** The keys of an object so far; undefined for a list. */
  readonly keys: Set<string> | undefined;
  /** The key or the index of the member that is read. */
  at: string | number;
}

/**
 * Returns the path of each key that an object of a valid JSON text has a second time. `JSON.parse` keeps the last member
 * of a name without a word, so what the first one says would have no effect.
 */
export function findDuplicateKeys(text: string): readonly (readonly (string | number)[])[] {
  const found: (string | number)[][] = [];
  const open: Open[] = [];
  let isKeyNext = false;
  for (token.lastIndex = 0; ; ) {
    const [whole, mark, string] = token.exec(text) ?? [];
    if (whole === undefined) return found;
    const top = open.at(-1);
    if (mark === "{" || mark === "[") {
      isKeyNext = mark === "{";
      open.push({ keys: isKeyNext ? new Set() : undefined, at: 0 });
    } else if (mark === "}" || mark === "]") {
      open.pop();
      isKeyNext = false;
    } else if (mark === ",") {
      isKeyNext = top?.keys !== undefined;
      if (typeof top?.at === "number") top.at += 1;
    } else if (string !== undefined && isKeyNext && top?.keys !== undefined) {
      const key = String(parseJsonText(string));
      top.at = key;
      if (top.keys.has(key)) found.push(open.map(({ at }) => at));
      top.keys.add(key);
      isKeyNext = false;
    }
  }
}
