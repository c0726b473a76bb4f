import { expect, it } from "vitest";
import { parseTimeout } from "./global-options.ts";

it("reads times", () => {
  expect(["30", "1.5", "500ms", "2m", "3s", "0.0001", "99999999999"].map(parseTimeout)).toEqual([
    30_000, 1_500, 500, 120_000, 3_000, 1, 2_147_483_647,
  ]);
});

it.each(["", "0", "0ms", "-1", "1h", "ms", "1 s", "Infinity", "1e3", "soon"])("refuses %j", (text) => {
  expect(() => parseTimeout(text)).toThrow(/it is no time/);
});
