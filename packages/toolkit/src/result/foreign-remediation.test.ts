import { type ErrorCode, errorCatalogue } from "@foundry-mcp/contract";
import { expect, it } from "vitest";
import { foreignRemediation } from "./foreign-remediation.ts";

it("refers to no details of another server", () => {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  expect(codes.filter((code) => /\bdetails\b/.test(foreignRemediation(code)))).toEqual([]);
  expect(foreignRemediation("VALIDATION_ERROR")).toBe(
    "Correct the arguments that the message names and call again.",
  );
});
