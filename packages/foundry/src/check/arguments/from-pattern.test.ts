import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromPattern } from "./from-pattern.ts";

describe("fromPattern", () => {
  it.each([
    ["^b-\\d+$", "b-1"],
    ["^req_[0-9a-f]{12}$", "req_aaaaaaaaaaaa"],
    ["^[A-Z]{2,5}$", "AA"],
    ["^(?:get|list)$", "get"],
    ["^v(\\d+)\\.(\\d+)(-[a-z]+)?$", "v1.1"],
    ["^[^a-z]+$", "1"],
    ["^\\p{Lu}\\w*$", "A"],
    ["^(?=.*\\d)x1$", "x1"],
    ["^(?<year>\\d{4})-\\d{2}$", "1111-11"],
    ["^\\u0041\\x42$", "AB"],
    ["^é[é]$", "éé"],
    ["^a{2}?b$", "aab"],
    ["", ""],
  ])("reads %s", (pattern, expected) => {
    expect(fromPattern(pattern)).toBe(expected);
    expect(new RegExp(pattern, "u").test(expected)).toBe(true);
  });

  it("adds repetitions where the pattern allows them", () => {
    expect(fromPattern("^[a-z]+-\\d{2,3}x?y*$", 2)).toBe("aaa-111xyy");
  });

  it.each(["(", "a)", "[a", "\\1", "(a)\\k<x>", "a\\", "*", "a{9999}", "((a{99}){99}){99}", "(".repeat(99)])(
    "gives up on %s",
    (pattern) => {
      expect(fromPattern(pattern)).toBeUndefined();
    },
  );

  it("never throws and limits the length of the text", () => {
    const pattern = fc.string({
      unit: fc.constantFrom(..."ab1^$.()[]{}|\\*+?:=!<>-,dwsup019"),
      maxLength: 30,
    });
    fc.assert(
      fc.property(fc.oneof(pattern, fc.string()), fc.nat(20), (text, extra) => {
        expect((fromPattern(text, extra) ?? "").length).toBeLessThanOrEqual(2000);
      }),
      { numRuns: 2000 },
    );
  });
});
