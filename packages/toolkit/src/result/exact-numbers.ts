import { parseJson } from "./foreign-text.ts";

/** A value that was parsed from a JSON text, without a change of its numbers. */
export interface ExactValue {
  readonly value: unknown;
  /** The number of numbers that are kept as texts, because JavaScript numbers would change their digits. */
  readonly kept: number;
}

/**
 * Matches texts that may contain a number that changes when it is parsed: it has 16 digits or more, or an exponent of
 * three digits. All other numbers keep their digits.
 */
const mayChange = /[\d.]{16}|\d[eE][+-]?\d{3}/;
const numberAt = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Parses a JSON text; numbers that JavaScript cannot represent, such as ids of more than 53 bits, become texts with all
 * their digits. Returns undefined for a text that is not JSON.
 */
export function parseExact(text: string): ExactValue | undefined {
  const value = parseJson(text);
  if (value === undefined) return undefined;
  if (!mayChange.test(text)) return { value, kept: 0 };
  const quoted = quoteChanging(text);
  return quoted.kept === 0 ? { value, kept: 0 } : { value: parseJson(quoted.text), kept: quoted.kept };
}

/** Puts quotation marks around the numbers of a valid JSON text that would change. */
function quoteChanging(text: string): { readonly text: string; readonly kept: number } {
  const parts: string[] = [];
  let written = 0;
  let kept = 0;
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? "";
    if (char === '"') {
      at = endOfString(text, at);
      continue;
    }
    numberAt.lastIndex = at;
    const [number] = char === "-" || (char >= "0" && char <= "9") ? (numberAt.exec(text) ?? []) : [];
    if (number === undefined) {
      at += 1;
      continue;
    }
    if (!keepsValue(number)) {
      parts.push(text.slice(written, at), `"${number}"`);
      written = at + number.length;
      kept += 1;
    }
    at += number.length;
  }
  return { text: [...parts, text.slice(written)].join(""), kept };
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/**
 * True if the JavaScript number, written with as many digits as the text, is the number of the text. So `0.1` and
 * `0.10000000000000001`, which name the same double, are kept, and `12345678901234567890` is not.
 */
function keepsValue(written: string): boolean {
  const { digits, exponent } = toDecimal(written);
  if (digits === "") return true;
  const parsed = Number(written);
  if (!Number.isFinite(parsed) || digits.length > 100) return false;
  const read = toDecimal(parsed.toPrecision(digits.length));
  return read.digits === digits && read.exponent === exponent;
}

/** Returns the digits without zeros at both ends, and the power of ten of the last digit; no digits for zero. */
function toDecimal(written: string): { readonly digits: string; readonly exponent: number } {
  const [, whole = "", fraction = "", power = "0"] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const all = whole + fraction;
  let start = 0;
  while (all[start] === "0") start += 1;
  let end = all.length;
  while (end > start && all[end - 1] === "0") end -= 1;
  return { digits: all.slice(start, end), exponent: Number(power) - fraction.length + (all.length - end) };
}
