import { isRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";

/**
 * The maximum number of opening braces at which parsing is tried. Without it, a text of many braces would take
 * quadratic time.
 */
const maxCandidates = 64;

/**
 * Extracts the first JSON object with the given key from the answer of a model. The model may wrap the object in a
 * code fence or in prose. Returns undefined if there is no such object.
 */
export function extractJsonObject(
  answer: string,
  key: string,
): Readonly<Record<string, unknown>> | undefined {
  // A reasoning model may write drafts before `</think>`. They count only if no object follows.
  const thought = answer.lastIndexOf("</think>");
  const found = thought === -1 ? undefined : extractFrom(answer, thought, key);
  return found ?? extractFrom(answer, 0, key);
}

function extractFrom(text: string, from: number, key: string): Readonly<Record<string, unknown>> | undefined {
  let at = text.indexOf("{", from);
  for (let candidates = 0; at !== -1 && candidates < maxCandidates; candidates++) {
    const end = endOfObject(text, at);
    const value = end === -1 ? undefined : parseJson(text.slice(at, end));
    if (isRecord(value) && Object.hasOwn(value, key)) return value;
    at = text.indexOf("{", at + 1);
  }
  return undefined;
}

/** Returns the index after the matching closing brace, or -1 if there is none. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === backslash) at++;
      else if (code === quote) isString = false;
    } else if (code === quote) isString = true;
    else if (code === openingBrace) depth++;
    else if (code === closingBrace && --depth === 0) return at + 1;
  }
  return -1;
}

const quote = 0x22;
const backslash = 0x5c;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Parses a JSON text. Returns undefined for an invalid text. */
export function parseJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
