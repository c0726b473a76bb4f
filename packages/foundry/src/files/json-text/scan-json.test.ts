import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyAt } from "./find-key.ts";
import { JsonSyntaxError } from "./json-syntax-error.ts";
import { scanJson } from "./scan-json.ts";
import type { Spans } from "./spans.ts";
import { withOrder } from "./testing/random-edits.ts";
import { formats, parseText, toText, trees } from "./testing/random-text.ts";

const texts = fc.tuple(trees, formats).map(([tree, format]) => toText(tree, format));

/** Returns the value that the spans describe, read piece by piece. */
function read(bytes: Buffer, spans: Spans): unknown {
  const { kind, start, end, count, valueStarts, valueEnds } = spans;
  const parse = (from: number, to: number): unknown => JSON.parse(bytes.toString("utf8", from, to));
  if (kind === "scalar") return parse(start, end);
  const values = Array.from({ length: count }, (_, at) => parse(valueStarts[at]!, valueEnds[at]!));
  if (kind === "list") return values;
  return Object.fromEntries(values.map((value, at) => [keyAt(bytes, spans, at), value]));
}

function errorOf(text: string | Uint8Array): unknown {
  try {
    return scanJson(Buffer.from(text as string));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return `${error.line}:${error.column} ${error.message}`;
  }
}

describe("scanJson", () => {
  it("finds the members of the root and of its hierarchy, whatever the format", () => {
    fc.assert(
      fc.property(texts, (bytes) => {
        const document = parseText(bytes);
        const { root, hierarchy } = scanJson(bytes);
        expect(withOrder(read(bytes, root))).toEqual(withOrder(document));
        const inner = root.kind === "object" ? (document as Record<string, unknown>)["hierarchy"] : undefined;
        const isContainer = typeof inner === "object" && inner !== null;
        expect(hierarchy && withOrder(read(bytes, hierarchy))).toEqual(
          isContainer ? withOrder(inner) : undefined,
        );
      }),
      { numRuns: 500 },
    );
  });

  it("refuses just what JSON.parse refuses", () => {
    const junk = fc.constantFrom(
      ..."{}[],:\"\\ \n\t0123456789-+.eEtrufalsn/'NI\u0000\u001f\u007f\u00a0\ufeff\u2028ü",
    );
    const mutation = fc.record({ at: fc.nat(), remove: fc.nat(2), insert: fc.array(junk, { maxLength: 2 }) });
    let refused = 0;
    fc.assert(
      fc.property(texts, fc.array(mutation, { minLength: 1, maxLength: 2 }), (bytes, mutations) => {
        let text = bytes.toString().replace(/^\ufeff/, "");
        for (const { at, remove, insert } of mutations) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + insert.join("") + text.slice(place + remove);
        }
        // A text with a lone surrogate has no bytes. One byte order mark is not part of the text.
        const fresh = Buffer.from(text.replace(/^\ufeff+/, ""));
        const isJson = accepts(() => JSON.parse(fresh.toString()));
        expect([fresh.toString(), accepts(() => scanJson(fresh))]).toEqual([fresh.toString(), isJson]);
        if (!isJson) refused++;
      }),
      { numRuns: 2_000 },
    );
    expect(refused).toBeGreaterThan(500);
  });

  it.each([
    ["", "1:1 The text is empty"],
    ["\ufeff \n ", "2:2 The text is empty"],
    ["{", "1:2 Expected a key in quotes, but the text ends"],
    ['{\n  "ü😀": 1,\n}', '3:1 Expected a key in quotes, but there is "}"'],
    ['{\n  "ü😀" 1}', '2:8 Expected ":", but there is "1"'],
    ['\ufeff{"a": NaN}', '1:7 Expected a value, but there is "N"'],
    ['{\r\n"a": tru}', '2:9 Expected the word true, but there is "}"'],
    ["[1\r2]", '2:1 Expected "," or "]", but there is "2"'],
    ["[01]", '1:3 Expected "," or "]", but there is "1"'],
    ["[1.]", '1:4 Expected a digit, but there is "]"'],
    ['{"a":1 "b"', '1:8 Expected "," or "}", but there is "\\""'],
    ['["a', "1:4 A string is not closed before the text ends"],
    ['["a\nb"]', "1:4 A string contains the control character \\u000a, which must be escaped"],
    ['["\\x"]', "1:3 A string contains an escape that is not valid JSON"],
    ['["\\u12g4"]', '1:7 Expected four hex digits behind \\u, but there is "g"'],
    ["{} 😀", '1:4 Expected the end of the text, but there is "😀"'],
  ])("reports the position of the error in %j", (text, wanted) => {
    expect(errorOf(text)).toBe(wanted);
  });

  it.each([
    ["a byte that starts nothing", [0x22, 0x61, 0x80, 0x22], "1:3"],
    ["a character that is cut off", [0x22, 0xc3, 0xbc, 0xe2, 0x82], "1:3"],
    ["half a pair of surrogates", [0x22, 0xed, 0xa0, 0x80, 0x22], "1:2"],
    ["a character in more bytes than it needs", [0x0a, 0xc0, 0xaf], "2:1"],
    ["a character beyond the last", [0xf5, 0x80, 0x80, 0x80], "1:1"],
    ["UTF-16", [0xff, 0xfe, 0x7b, 0x00], "1:1"],
  ])("refuses what is not UTF-8: %s", (_, bytes, place) => {
    expect(errorOf(Uint8Array.from(bytes))).toBe(`${place} The text is not UTF-8`);
  });

  it("refuses every proper prefix of a text", () => {
    const text = '{"a":[1.5e3,true,null,"\\u00fc\\n"],"hierarchy":{"x":{}}}';
    const accepted = Array.from(text, (_, end) => end).filter((end) =>
      accepts(() => scanJson(Buffer.from(text.slice(0, end)))),
    );
    expect(accepted).toEqual([]);
  });

  it("accepts a nesting of one thousand and not more", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(scanJson(Buffer.from(nested(1_000))).root.count).toBe(1);
    expect(errorOf(nested(1_001))).toBe("1:1001 More than 1000 levels of nested lists and objects");
    expect(errorOf("[".repeat(3_000_000))).toBe("1:1001 More than 1000 levels of nested lists and objects");
  });
});

function accepts(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}
