import { expect, it } from "vitest";
import { AnswerValues } from "./fill-placeholders.ts";

it("replaces placeholders by the newest value under their key, the one nearest to the root", () => {
  const values = new AnswerValues();
  values.add({ claim: { token: "deep" }, id: 7 }, "task claim");
  values.add({ rows: [{ token: "row" }], token: "new" });
  const args = { a: "{{token}}", b: "{{id}}", c: "{{none}}", d: "a {{token}}", e: ["{{token}}"], f: 1 };
  expect(values.fill(args)).toEqual({ ...args, a: "new", b: 7 });
  const named = { a: "{{task claim: token}}", b: "{{other: token}}" };
  expect(values.fill(named)).toEqual({ ...named, a: "deep" });
});

it("leaves everything as it is before there are answers", () => {
  expect(new AnswerValues().fill({ a: "{{token}}" })).toEqual({ a: "{{token}}" });
});
