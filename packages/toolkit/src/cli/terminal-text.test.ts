import fc from "fast-check";
import { expect, it } from "vitest";
import { toVisible, toVisibleJson } from "./terminal-text.ts";

it("spells out what a terminal would act upon", () => {
  expect(toVisible("\u001b[31mred\u001b]0;title\u0007 \u009b2J\r\n\tx\u0000\u202egnp")).toBe(
    "\\x1b[31mred\\x1b]0;title\\x07 \\x9b2J\\r\\n\\tx\\x00\\u202egnp",
  );
});

it("keeps lines where lines are shown, and text everywhere", () => {
  expect(toVisible("a\n\tb\r\u0008", { keepLines: true })).toBe("a\n\tb\\r\\x08");
  expect(toVisible("語 👩‍🚀 é\u0301")).toBe("語 👩‍🚀 é\u0301");
});

it("leaves no control character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(toVisible(text)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

it("keeps the value of JSON whose characters it spells out", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ stringUnit: "binary" }),
      fc.constantFrom("\u009b2J", "\u202e", "\u2028", "\ufeff"),
      (value, sign) => {
        const json = JSON.stringify([value, sign]);
        const shown = toVisibleJson(json);
        expect(JSON.parse(shown)).toEqual(JSON.parse(json));
        expect(toVisible(shown)).toBe(shown);
      },
    ),
  );
});
