import { parseJsonText } from "@foundry-mcp/contract/input";

/** The type to which a text is converted. */
export type ReadType = "array" | "boolean" | "integer" | "number" | "object";

/** The maximum length of a text that is parsed as JSON. */
const maxJsonText = 2 ** 20;
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Converts a text to a value of a type; undefined if the meaning of the text is not certain. */
export function readText(given: string, type: ReadType): unknown {
  const text = given.trim();
  if (type === "boolean") return /^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : undefined;
  if (type === "array" || type === "object") return readJson(text, type);
  const value = jsonNumber.test(text) ? Number(text) : Number.NaN;
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isExact && (type === "number" || Number.isInteger(value)) ? value : undefined;
}

function readJson(text: string, type: "array" | "object"): unknown {
  const [first, last] = type === "array" ? ["[", "]"] : ["{", "}"];
  if (text.length > maxJsonText || !text.startsWith(first) || !text.endsWith(last)) return undefined;
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

/** Returns the only type other than null; undefined if there are several types or the type is string. */
export function toReadType(types: ReadonlySet<string>): ReadType | undefined {
  const others = new Set(types);
  others.delete("null");
  if (others.has("number")) others.delete("integer");
  const [only] = others;
  return others.size === 1 && only !== "string" ? (only as ReadType) : undefined;
}
