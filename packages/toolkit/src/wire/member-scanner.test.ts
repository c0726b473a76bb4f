import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemberScanner } from "./member-scanner.ts";

function scan(text: string, cuts: readonly number[] = []): unknown {
  const scanner = new MemberScanner(["id", "method"]);
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  for (const [index, place] of places.slice(1).entries()) scanner.write(bytes.subarray(places[index], place));
  return Object.fromEntries(scanner.found);
}

describe("MemberScanner", () => {
  it("finds members at the root of any object, wherever they stand and however the bytes are chunked", () => {
    const key = fc.constantFrom("id", "method", "a", '"id":', "\\", "ü");
    const inner = fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.constantFrom('"', "}", '{"id":5}', "\\")));
    const scalar = fc.oneof(fc.string({ unit: "grapheme", maxLength: 20 }), fc.integer(), fc.boolean());
    const message = fc.record(
      { id: scalar, params: inner, method: scalar, list: fc.array(inner) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        message,
        fc.array(fc.nat(500), { maxLength: 6 }),
        fc.constantFrom(undefined, 2),
        (given, cuts, indent) => {
          const { id, method } = given;
          const wanted = Object.fromEntries(
            Object.entries({ id, method }).filter(([, value]) => value !== undefined),
          );
          expect(scan(JSON.stringify(given, null, indent), cuts)).toEqual(wanted);
        },
      ),
    );
  });

  it.each(["[1,2]", '[{"id":1}]', '"id"', "", "{", "]]]}}}", '{"id":{"id":1},"method":[]}', "{{{:,:,}}}"])(
    "finds nothing where there is nothing: %s",
    (text) => {
      expect(scan(text)).toEqual({});
    },
  );

  it("does not collect long values", () => {
    expect(scan(JSON.stringify({ id: "x".repeat(5_000), method: "ping" }))).toEqual({ method: "ping" });
  });
});
