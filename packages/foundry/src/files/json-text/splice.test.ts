import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChunkedText } from "../../specs/stores/history/restore-text.ts";
import { type Splice, toInverse, toSplice } from "./splice.ts";

const pieces = fc.oneof(fc.constantFrom("a", "b", "ü", "日", "😀"), fc.constant("x".repeat(5_000)));
const bytes = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((parts) => Buffer.from(parts.join(""))),
  fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)),
);

function apply(text: Uint8Array, ...steps: readonly (readonly Splice[])[]): Buffer {
  const pieced = new ChunkedText(text);
  for (const step of steps) expect(pieced.apply(step)).toBe(true);
  return Buffer.from(pieced.toBytes());
}

describe("toSplice", () => {
  it("turns any text into any other, and back", () => {
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 2, maxLength: 8 }), (texts) => {
        const steps = texts.slice(1).map((after, at) => [toSplice(texts[at]!, after)]);
        const last = texts.at(-1)!;
        expect(apply(texts[0]!, ...steps).equals(last)).toBe(true);
        expect(apply(last, ...steps.map(toInverse).reverse()).equals(texts[0]!)).toBe(true);
      }),
    );
  });

  it("is minimal and splits no character", () => {
    const splice = toSplice(Buffer.from("die Tür auf"), Buffer.from("die Tör auf"));
    expect([splice.at, String(splice.removed), String(splice.inserted)]).toEqual([5, "ü", "ö"]);
    const same = toSplice(Buffer.from("same"), Buffer.from("same"));
    expect([same.at, same.removed.length, same.inserted.length]).toEqual([4, 0, 0]);
  });
});

describe("ChunkedText", () => {
  it("applies thousands of steps", () => {
    const steps = Array.from({ length: 5_000 }, (_, at) => [
      { at: at % 7, removed: Buffer.from(""), inserted: Buffer.from(`${at % 10}`) },
    ]);
    let wanted = "start of a text";
    for (const [{ at, inserted }] of steps as Splice[][] as [Splice][])
      wanted = wanted.slice(0, at) + String(inserted) + wanted.slice(at);
    expect(String(apply(Buffer.from("start of a text"), ...steps))).toBe(wanted);
  });

  it.each<[string, Partial<Splice>[]]>([
    ["beyond the end", [{ at: 5 }]],
    ["more than there is", [{ at: 3, removed: Buffer.from("de") }]],
    ["backwards", [{ at: 2 }, { at: 1 }]],
    ["before the start", [{ at: -1 }]],
  ])("rejects splices that do not fit: %s", (_, splices) => {
    const nothing = Buffer.alloc(0);
    const whole = splices.map((each) => ({ at: 0, removed: nothing, inserted: nothing, ...each }));
    expect(new ChunkedText(Buffer.from("abcd")).apply(whole)).toBe(false);
  });
});
