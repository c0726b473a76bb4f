import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineReader } from "./line-reader.ts";

function readAll(chunks: readonly Buffer[], longest = 1_000): string[] {
  const lines: string[] = [];
  const reader = new LineReader(longest);
  for (const chunk of chunks) reader.read(chunk, (line) => lines.push(line));
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

  it("refuses a line that is too long, in one chunk or several, and discards it", () => {
    expect(() => readAll([Buffer.from(`${"x".repeat(11)}\n`)], 10)).toThrow("A line is longer than 10 bytes");
    const reader = new LineReader(10);
    const lines: string[] = [];
    reader.read(Buffer.from("x".repeat(6)), (text) => lines.push(text));
    expect(() => reader.read(Buffer.from("x".repeat(6)), () => {})).toThrow("A line is longer than 10 bytes");
    reader.read(Buffer.from("fine\n"), (text) => lines.push(text));
    expect(lines).toEqual(["fine"]);
  });
});
