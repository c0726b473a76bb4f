import { describe, expect, it } from "vitest";
import { limitDepth } from "./limit-depth.ts";

describe("limitDepth", () => {
  it.each([[null], [7], ["text"], [[]], [{ a: [1, { b: null }], c: "d" }]])("is %j as it was", (value) => {
    const before = structuredClone(value);
    expect(limitDepth(value).value).toBe(value);
    expect(value).toEqual(before);
  });

  it("estimates the bytes of a value", () => {
    expect(limitDepth("four").bytes).toBe(8);
    expect(limitDepth({ a: "four", b: [1, 2] }).bytes).toBe(64 + 8 + 64 + 16);
  });

  it("replaces values that are nested too deeply", () => {
    const deep: unknown = JSON.parse(`${'{"a":['.repeat(100_000)}1${"]}".repeat(100_000)}`);
    const text = JSON.stringify(limitDepth(deep).value);
    expect(text).toBe(`${'{"a":['.repeat(100)}{"a":"…"}${"]}".repeat(100)}`);
  });

  it("treats __proto__ as an ordinary key", () => {
    const deep: unknown = JSON.parse(`${'{"__proto__":'.repeat(300)}1${"}".repeat(300)}`);
    expect(JSON.stringify(limitDepth(deep).value)).toBe(
      `${'{"__proto__":'.repeat(201)}"…"${"}".repeat(201)}`,
    );
    expect(Object.getPrototypeOf(deep)).toBe(Object.prototype);
  });
});
