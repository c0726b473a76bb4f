import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRoute, type Route, specTabs, toHash } from "./route.ts";

const query = fc.dictionary(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), { maxKeys: 4 });
const route: fc.Arbitrary<Route> = fc.oneof(
  fc.record({ name: fc.constantFrom("specs", "now", "gateway", "contract", "search"), query }),
  fc.record({
    name: fc.constant("spec"),
    specId: fc.string({ minLength: 1, unit: "grapheme" }),
    tab: fc.constantFrom(...specTabs),
    query,
  }),
) as fc.Arbitrary<Route>;

describe("parseRoute", () => {
  it("reads the address of every route", () => {
    fc.assert(
      fc.property(route, (each) => {
        expect(parseRoute(toHash(each))).toEqual(each);
      }),
    );
  });

  it("throws for no address", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 40 }), (hash) => void parseRoute(hash)));
  });

  it.each([
    ["", { name: "specs", query: {} }],
    ["#/specs/one", { name: "spec", specId: "one", tab: "board", query: {} }],
    ["#/specs/one/nothing", { name: "unknown", path: "/specs/one/nothing", query: {} }],
    ["#/specs/%E0%A4%A/board", { name: "unknown", path: "/specs/%E0%A4%A/board", query: {} }],
    ["#/nothing", { name: "unknown", path: "/nothing", query: {} }],
  ])("reads %j", (hash, expected) => {
    expect(parseRoute(hash)).toEqual(expected);
  });
});
