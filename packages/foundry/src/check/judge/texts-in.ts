import { isRecord } from "../observe/observation.ts";

const mostTexts = 5_000;
const longestText = 100_000;
const deepest = 250;

/** The texts of a value, keys included; a text that is JSON gives those that it holds. */
export function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  collect(value, texts, 0);
  return texts;
}

function collect(value: unknown, texts: string[], depth: number): void {
  if (texts.length >= mostTexts || depth > deepest) return;
  if (typeof value === "string") {
    const inner = parse(value);
    if (inner === undefined) texts.push(value.slice(0, longestText));
    else collect(inner, texts, depth + 1);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, texts, depth + 1);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      texts.push(key.slice(0, longestText));
      collect(item, texts, depth + 1);
    }
  }
}

function parse(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
