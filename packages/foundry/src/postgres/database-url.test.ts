import { describe, expect, it } from "vitest";
import { isDatabaseUrl } from "./database-url.ts";

describe("the address of a database", () => {
  it.each([
    ["postgres://db", true],
    ["PostgreSQL://db", true],
    ["mysql://db", false],
    ["postgres:db", false],
    ["", false],
  ])("is %s one: %s", (text, isOne) => {
    expect(isDatabaseUrl(text)).toBe(isOne);
  });
});
