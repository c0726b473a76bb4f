import { isRecord } from "@foundry-mcp/contract";

const mostTexts = 5_000;
const longestText = 50_000;
/** A failure that says more has been read long enough. */
const mostCharacters = 1_000_000;
const deepest = 250;

/** The texts of a value, keys included; a text that is JSON gives those that it holds. */
export function textsIn(value: unknown): readonly string[] {
  const found: Found = { texts: [], left: mostCharacters };
  collect(value, found, 0);
  return found.texts;
}

interface Found {
  readonly texts: string[];
  left: number;
}

function collect(value: unknown, found: Found, depth: number): void {
  if (found.texts.length >= mostTexts || found.left <= 0 || depth > deepest) return;
  if (typeof value === "string") {
    const inner = parse(value);
    if (inner === undefined) add(value, found);
    else collect(inner, found, depth + 1);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, found, depth + 1);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      add(key, found);
      collect(item, found, depth + 1);
    }
  }
}

function add(text: string, found: Found): void {
  const start = text.slice(0, longestText);
  found.texts.push(start);
  found.left -= start.length;
}

function parse(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
