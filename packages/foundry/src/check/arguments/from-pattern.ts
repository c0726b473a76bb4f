const maxLength = 2000;
const maxDepth = 30;
const plausible = "a1A_- ./:@+b2B,#";
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const classes: Readonly<Record<string, string>> = {
  d: "1",
  w: "a",
  s: " ",
  D: "a",
  W: "-",
  S: "a",
  b: "",
  B: "",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * Generates a text for a simple regular expression. Each quantifier repeats its minimum count plus `extra`,
 * up to its maximum. The generator supports literals, classes, quantifiers, groups and the first
 * alternative. The caller checks whether the text matches.
 */
export function fromPattern(pattern: string, extra = 0): string | undefined {
  try {
    const reader = { pattern: pattern.slice(0, maxLength), at: 0, extra };
    const text = readChoice(reader, 0);
    return reader.at === reader.pattern.length ? text : undefined;
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    throw error;
  }
}

/** Thrown for a regular expression that the text generator does not support. */
class UnsupportedPattern extends Error {}

interface Reader {
  readonly pattern: string;
  at: number;
  readonly extra: number;
}

function readChoice(reader: Reader, depth: number): string {
  if (depth > maxDepth) throw new UnsupportedPattern();
  const first = readSequence(reader, depth);
  while (reader.pattern[reader.at] === "|") {
    reader.at++;
    readSequence(reader, depth);
  }
  return first;
}

function readSequence(reader: Reader, depth: number): string {
  let text = "";
  for (let next = reader.pattern[reader.at]; next !== undefined; next = reader.pattern[reader.at]) {
    if (next === "|" || next === ")") break;
    const atom = readAtom(reader, depth);
    const count = readCount(reader);
    if (text.length + atom.length * count > maxLength) throw new UnsupportedPattern();
    text += atom.repeat(count);
  }
  return text;
}

function readAtom(reader: Reader, depth: number): string {
  const next = take(reader);
  if (next === "^" || next === "$") return "";
  if (next === ".") return "a";
  if (next === "(") return readGroup(reader, depth);
  if (next === "[") return readClass(reader);
  if (next === "\\") return readEscape(reader);
  if (next === "*" || next === "+" || next === "?") throw new UnsupportedPattern();
  return next;
}

function readGroup(reader: Reader, depth: number): string {
  const head = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(reader.pattern.slice(reader.at, reader.at + 100))?.[0] ?? "";
  reader.at += head.length;
  const inner = readChoice(reader, depth + 1);
  if (take(reader) !== ")") throw new UnsupportedPattern();
  // A lookaround consumes no text.
  return /[=!]$/.test(head) ? "" : inner;
}

function readClass(reader: Reader): string {
  const start = reader.at - 1;
  for (let next = take(reader); next !== "]"; next = take(reader)) if (next === "\\") take(reader);
  const source = reader.pattern.slice(start, reader.at);
  const admits = toRegExp(source);
  const found = [...plausible, ...printable, source.replace(/^\[\^?/, "").charAt(0)].find((letter) =>
    admits.test(letter),
  );
  if (found === undefined) throw new UnsupportedPattern();
  return found;
}

function readEscape(reader: Reader): string {
  const next = take(reader);
  const known = Object.hasOwn(classes, next) ? classes[next] : undefined;
  if (known !== undefined) return known;
  const rest = reader.pattern.slice(reader.at - 1, reader.at + 40);
  const property = /^p\{[^}]*\}/i.exec(rest)?.[0];
  const code = /^(?:x([\da-f]{2})|u([\da-f]{4}))/i.exec(rest);
  if (property !== undefined || code !== null) {
    reader.at += (property ?? code?.[0] ?? "").length - 1;
    if (code !== null) return String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? "", 16));
    const admits = toRegExp(`\\${property}`);
    return [...plausible].find((letter) => admits.test(letter)) ?? "a";
  }
  if (/[A-Za-z0-9]/.test(next)) throw new UnsupportedPattern();
  return next;
}

function readCount(reader: Reader): number {
  const rest = reader.pattern.slice(reader.at, reader.at + 30);
  const [whole, mark, min, comma, max] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(rest) ?? [""];
  reader.at += whole.length;
  if (whole === "") return 1;
  const low = mark === undefined ? Number(min) : mark === "+" ? 1 : 0;
  if (mark === "?") return Math.min(1, reader.extra);
  const high = mark !== undefined || (comma === "," && max === "") ? Infinity : Number(max || min);
  return Math.min(high, low + reader.extra);
}

function take(reader: Reader): string {
  const next = reader.pattern[reader.at];
  if (next === undefined) throw new UnsupportedPattern();
  reader.at++;
  return next;
}

function toRegExp(source: string): RegExp {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(`^${source}$`, flags);
    } catch {}
  }
  throw new UnsupportedPattern();
}
