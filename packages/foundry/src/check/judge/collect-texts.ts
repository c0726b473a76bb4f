import { isRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";

const maxTexts = 5_000;
const maxTextLength = 50_000;
const maxCharacters = 1_000_000;
const maxDepth = 250;

/**
 * Returns the strings of a value, including its keys. A string that contains JSON is replaced by the strings in that
 * JSON.
 */
export function collectTexts(value: unknown): readonly string[] {
  const found: Found = { texts: [], left: maxCharacters };
  collect(value, found, 0);
  return found.texts;
}

interface Found {
  readonly texts: string[];
  left: number;
}

function collect(value: unknown, found: Found, depth: number): void {
  if (found.texts.length >= maxTexts || found.left <= 0 || depth > maxDepth) return;
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
  const start = text.slice(0, maxTextLength);
  found.texts.push(start);
  found.left -= start.length;
}

function parse(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJsonText(text) as object;
  } catch {
    return undefined;
  }
}
