import { expect, it } from "vitest";
import { isWhiteSpace } from "./white-space.ts";

it("isWhiteSpace() is true exactly for the characters at which Python's str.split() splits", () => {
  const found = Array.from({ length: 65_536 }, (_, code) => code).filter(isWhiteSpace);
  // [chr(c) for c in range(0x110000) if chr(c).isspace()]
  expect(found).toEqual([
    9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199,
    8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288,
  ]);
});
