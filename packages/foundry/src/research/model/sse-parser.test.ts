import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SseParser } from "./sse-parser.ts";

function read(chunks: readonly string[]): readonly (string | undefined)[] {
  const stream = new SseParser();
  const events = chunks.flatMap((chunk) => [...stream.write(chunk)]);
  return [...events, stream.end()];
}

describe("SseParser", () => {
  it.each([
    ["line feeds", "data: a\n\ndata: b\n\n", ["a", "b", undefined]],
    ["returns", "data: a\r\rdata: b\r\r", ["a", "b", undefined]],
    ["both", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b", undefined]],
    ["several lines of data", "data: a\ndata:  b\ndata\ndata:\n\n", ["a\n b\n\n", undefined]],
    ["other fields", ": c\nevent: e\nid: 1\nretry: 1\nother\ndata: a\n\n", ["a", undefined]],
    ["empty lines", "\n\n\ndata: a\n\n\n\n", ["a", undefined]],
    ["no line end at its end", "data: a\n\ndata: b", ["a", "b"]],
    ["no empty line at its end", "data: a\n", ["a"]],
    ["nothing", "", [undefined]],
  ])("parses %s", (_, text, expected) => {
    expect(read([text])).toEqual(expected);
  });

  it("returns the same events for any chunks", () => {
    const line = fc.constantFrom("data: a", "data:b c", "data", ": x", "event: y", "", "");
    const ending = fc.constantFrom("\n", "\r\n", "\r");
    fc.assert(
      fc.property(fc.array(line), ending, fc.array(fc.nat({ max: 60 })), (lines, end, cuts) => {
        const text = lines.map((each) => each + end).join("");
        const places = [...cuts.filter((cut) => cut <= text.length).sort((a, b) => a - b), text.length];
        const chunks = places.map((place, at) => text.slice(places[at - 1] ?? 0, place));
        expect(read(chunks)).toEqual(read([text.replaceAll(end, "\n")]));
      }),
      { numRuns: 500 },
    );
  });
});
