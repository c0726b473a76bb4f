/** So many places are looked at: an answer of braces alone would take for ever. */
const mostPlaces = 64;

/**
 * Finds the JSON object that has a key in the answer of a model, which may stand in a fence or between words;
 * undefined where there is none.
 */
export function findObject(answer: string, key: string): Readonly<Record<string, unknown>> | undefined {
  // What some models write while they think is a draft at best; the answer may speak of such marks as well.
  const thought = answer.lastIndexOf("</think>");
  const found = thought === -1 ? undefined : findFrom(answer, thought, key);
  return found ?? findFrom(answer, 0, key);
}

function findFrom(text: string, from: number, key: string): Readonly<Record<string, unknown>> | undefined {
  let at = text.indexOf("{", from);
  for (let places = 0; at !== -1 && places < mostPlaces; places++) {
    const end = endOfObject(text, at);
    const value = end === -1 ? undefined : parse(text.slice(at, end));
    if (value !== undefined && Object.hasOwn(value, key)) return value;
    at = text.indexOf("{", at + 1);
  }
  return undefined;
}

/** The place behind the brace that closes the one at the start; -1 where none does. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === backslash) at++;
      else if (code === quote) isString = false;
    } else if (code === quote) isString = true;
    else if (code === opening) depth++;
    else if (code === closing && --depth === 0) return at + 1;
  }
  return -1;
}

const quote = 0x22;
const backslash = 0x5c;
const opening = 0x7b;
const closing = 0x7d;

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
