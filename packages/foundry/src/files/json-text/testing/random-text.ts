import fc from "fast-check";

/** Keys that are difficult for JavaScript, JSON or a text editor. The list is short, so that duplicates occur. */
export const keys = [
  "a",
  "b",
  "hierarchy",
  "journal",
  "task-1",
  "task-2",
  "__proto__",
  "constructor",
  "toString",
  "",
  "0",
  "1",
  "10",
  "01",
  "4294967294",
  "4294967295",
  "ü",
  "日本",
  "😀",
  'a"b',
  "a\\b",
  "\\u0061",
  "line\nbreak",
  "\u0000",
  "\ud800",
  "\ufffd",
] as const;

const numbers = ["0", "-0", "-1", "1.0", "1e5", "1E+05", "0.10", "-2.50e-3", "12345678901234567890", "1e400"];
const words = ["true", "false", "null"];

/** A value as it is written in a text. Keys may be duplicate, and numbers keep their notation. */
export type Tree =
  | { readonly kind: "raw"; readonly text: string }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly Tree[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [string, Tree])[] };

const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(...keys, "x".repeat(40), "\u2014\u0007/"),
);
const { tree } = fc.letrec<{ tree: Tree; list: Tree; object: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...numbers, ...words).map((text) => ({ kind: "raw" as const, text })),
    texts.map((text) => ({ kind: "string" as const, text })),
    tie("object"),
    tie("list"),
  ),
  list: fc.array(tie("tree"), { maxLength: 5 }).map((items) => ({ kind: "list" as const, items })),
  object: fc
    .array(fc.tuple(fc.constantFrom(...keys), tie("tree")), { maxLength: 6 })
    .map((members) => ({ kind: "object" as const, members })),
}));

/** Generates an object, most often with a hierarchy of nodes, and sometimes any other value. */
export const trees: fc.Arbitrary<Tree> = fc.oneof(
  { weight: 1, arbitrary: tree },
  {
    weight: 5,
    arbitrary: fc
      .array(fc.tuple(fc.oneof(fc.constant("hierarchy"), fc.constantFrom(...keys)), tree), { maxLength: 6 })
      .map((members) => ({ kind: "object" as const, members })),
  },
);

/** The formatting of a text. */
export interface Format {
  readonly indent: string | undefined;
  readonly newline: string;
  readonly comma: string;
  readonly colon: string;
  readonly isAscii: boolean;
  /** True to insert white space and escapes at unusual positions where they are allowed. */
  readonly isWild: boolean;
  readonly hasMark: boolean;
  readonly end: string;
  readonly seed: number;
}

export const formats: fc.Arbitrary<Format> = fc.record({
  indent: fc.oneof(
    fc.constant(undefined),
    fc.constant("\t"),
    fc.nat(8).map((width) => " ".repeat(width)),
  ),
  newline: fc.constantFrom("\n", "\r\n", "\r"),
  comma: fc.constantFrom(",", ", "),
  colon: fc.constantFrom(":", ": ", " : "),
  isAscii: fc.boolean(),
  isWild: fc.boolean(),
  hasMark: fc.boolean(),
  end: fc.constantFrom("", "\n", "\r\n", " \n\n"),
  seed: fc.nat(),
});

/** Writes a tree in a format. */
export function toText(tree: Tree, format: Format): Buffer {
  const { indent, newline, isWild } = format;
  const random = createRandom(format.seed);
  const space = () => (isWild ? (["", "", " ", "\n", "\t", "\r\n", "  \n "][random(7)] ?? "") : "");
  const string = (text: string) => {
    const units = isWild ? [...JSON.stringify(text).slice(1, -1)] : [];
    if (!isWild) return toAscii(JSON.stringify(text), format.isAscii);
    let escaped = "";
    for (let at = 0; at < units.length; at++) {
      const unit = units[at] as string;
      // An existing escape is kept.
      if (unit === "\\") escaped += unit + (units[++at] ?? "");
      else escaped += random(4) === 0 && !/[0-9a-f]/.test(unit) ? escapeAll(unit, random(2) === 0) : unit;
    }
    return `"${toAscii(escaped, format.isAscii)}"`;
  };
  const wrap = (open: string, entries: string[], close: string, margin: string) => {
    if (entries.length === 0) return `${open}${space()}${close}`;
    const line = indent === undefined ? "" : newline + margin + indent;
    const separator = indent === undefined ? format.comma : `,${line}`;
    const inside = entries.map((entry) => space() + entry + space()).join(separator);
    return `${open}${line}${inside}${indent === undefined ? "" : newline + margin}${close}`;
  };
  const print = (each: Tree, margin: string): string => {
    const inner = margin + (indent ?? "");
    if (each.kind === "raw") return each.text;
    if (each.kind === "string") return string(each.text);
    if (each.kind === "list")
      return wrap(
        "[",
        each.items.map((item) => print(item, inner)),
        "]",
        margin,
      );
    const members = each.members.map(
      ([key, value]) => string(key) + space() + format.colon + space() + print(value, inner),
    );
    return wrap("{", members, "}", margin);
  };
  return Buffer.from(`${format.hasMark ? "\ufeff" : ""}${space()}${print(tree, "")}${format.end}`);
}

function toAscii(text: string, isWanted: boolean): string {
  return isWanted ? text.replace(/[^\0-\x7f]/g, (unit) => escapeAll(unit, false)) : text;
}

function escapeAll(text: string, isUpper: boolean): string {
  const hex = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, "0");
  return text
    .split("")
    .map((unit) => `\\u${isUpper ? hex(unit).toUpperCase() : hex(unit)}`)
    .join("");
}

function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Parses a text after removing its byte order mark. */
export function parseText(bytes: Uint8Array): unknown {
  return JSON.parse(
    Buffer.from(bytes)
      .toString()
      .replace(/^\ufeff/, ""),
  );
}
