import { errorResponse } from "@foundry-mcp/contract";
import { expect, it } from "vitest";
import { CallCounter } from "./call-counts.ts";

function count(codes: readonly string[]) {
  const counter = new CallCounter();
  for (const code of codes) {
    const envelope = errorResponse("It failed", { errorCode: code });
    counter.add({ upstream: "one" }, { envelope, text: "" } as Parameters<CallCounter["add"]>[1]);
  }
  return counter.of("one").failures;
}

it("counts the first fifty codes of an upstream each, and all other codes together", () => {
  const codes = Array.from({ length: 60 }, (_, index) => `CODE_${index}`);
  const first = Object.fromEntries(codes.slice(0, 50).map((code) => [code, 2]));
  expect(count([...codes, ...codes])).toEqual({ ...first, OTHER: 20 });
});

it("counts codes that are too long together", () => {
  const longest = "A".repeat(64);
  expect(count([longest, `${longest}B`, `${longest}C`])).toEqual({ [longest]: 1, OTHER: 2 });
});
