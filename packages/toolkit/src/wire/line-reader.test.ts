import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineReader } from "./line-reader.ts";

function readAll(chunks: readonly Buffer[], longest = 1_000): string[] {
  const lines: string[] = [];
  const reader = new LineReader(longest);
  for (const chunk of chunks) reader.read(chunk, { line: (line) => lines.push(line) });
  return lines;
}

describe("LineReader", () => {
  const line = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, " "));

  it("returns the same lines however the bytes are chunked", () => {
    const cut = fc.array(fc.nat(60), { maxLength: 10 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), cut, (lines, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
        const places = [0, ...cuts.map((place) => place % (bytes.length + 1)), bytes.length];
        places.sort((a, b) => a - b);
        const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        expect(readAll(chunks)).toEqual(lines);
      }),
    );
  });

  it("removes a carriage return at the end of a line", () => {
    expect(readAll([Buffer.from("a\r\nb\n\r\n")])).toEqual(["a", "b", ""]);
  });

  it("does not pass on an incomplete line", () => {
    expect(readAll([Buffer.from("a\nb")])).toEqual(["a"]);
  });

  it("removes a byte order mark, and tells bytes that are no UTF-8", () => {
    const lines: [string, boolean][] = [];
    const bytes = Buffer.concat([
      Buffer.from("\uFEFF{}\r\n\uFEFF\nü\n"),
      Buffer.from([0x61, 0xff, 0x0a, 0x00, 0x0a]),
    ]);
    new LineReader(100).read(bytes, { line: (...line) => lines.push(line) });
    expect(lines).toEqual([
      ["{}", true],
      ["", true],
      ["ü", true],
      ["a\uFFFD", false],
      ["\0", true],
    ]);
  });

  it("throws for a line that is too long where nobody skips it", () => {
    expect(() => readAll([Buffer.from(`${"x".repeat(11)}\n`)], 10)).toThrow("A line is longer than 10 bytes");
    expect(() => readAll([Buffer.from("x".repeat(6)), Buffer.from("x".repeat(6))], 10)).toThrow(
      "A line is longer than 10 bytes",
    );
    expect(readAll([Buffer.from(`${"x".repeat(10)}\n`)], 10)).toEqual(["x".repeat(10)]);
  });

  it("passes on the bytes of a line that is too long as they come, and reads the next line", () => {
    const cut = fc.array(fc.nat(60), { maxLength: 10 });
    const long = fc.string({ unit: fc.constantFrom("x", "y"), minLength: 11, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(fc.oneof(line, long), { maxLength: 8 }), cut, (lines, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
        const places = [0, ...cuts.map((place) => place % (bytes.length + 1)), bytes.length];
        places.sort((a, b) => a - b);
        const reader = new LineReader(10);
        const read: string[] = [];
        let skipped = "";
        for (const [index, place] of places.slice(1).entries()) {
          reader.read(bytes.subarray(places[index], place), {
            line: (text) => read.push(text),
            skip: (part, isEnd) => {
              skipped += part.toString("latin1");
              if (!isEnd) return;
              read.push(Buffer.from(skipped, "latin1").toString());
              skipped = "";
            },
          });
        }
        expect(read).toEqual(lines);
      }),
    );
  });
});
