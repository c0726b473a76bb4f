import fc from "fast-check";
import { expect, it } from "vitest";
import { TermIds } from "./term-ids.ts";

const anyTerm = fc.oneof(
  fc.nat({ max: 20 }),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  // Multiples of 2 ** 27 collide in a table of any size.
  fc.nat({ max: 20 }).map((high) => high * 2 ** 27),
);

it("TermIds numbers its terms in order, and knows no other", () => {
  fc.assert(
    fc.property(fc.array(anyTerm, { maxLength: 300 }), fc.array(anyTerm), (given, others) => {
      const terms = [...new Set(given)];
      const numbers = new TermIds(new Set(terms));
      expect(numbers.size).toBe(terms.length);
      expect(terms.map((term) => numbers.idOf(term))).toEqual(terms.map((_, at) => at));
      for (const other of others) expect(numbers.idOf(other)).toBe(terms.indexOf(other));
    }),
  );
});
