import { describe, expect, it } from "vitest";
import { parseCalls } from "./calls-file.ts";
import { checkNames } from "./check-names.ts";

const port = { name: "port", schema: {}, isRequired: true };
const tools = [
  { name: "tide", parameters: [port] },
  { name: "berth", parameters: [] },
];
const read = (file: object) => parseCalls(JSON.stringify(file), { file: "calls.json" });

describe("checkNames", () => {
  it("accepts known tools and parameters", () => {
    const warnings: string[] = [];
    const file = read({ calls: [{ tool: "tide" }, { tool: "berth" }], values: { port: "dover" } });
    checkNames(file, tools, (message) => warnings.push(message));
    expect(warnings).toEqual([]);
  });

  it("refuses an unknown tool and names the nearest", () => {
    expect(() => checkNames(read({ calls: [{ tool: "tide" }, { tool: "tides" }] }), tools)).toThrow(
      expect.objectContaining({
        message:
          'Cannot make the calls of the file: calls[1].tool is "tides", and the server lists no such tool',
        options: expect.objectContaining({
          errorCode: "VALIDATION_ERROR",
          remediation: "Did you mean tide? Use one of: tide, berth.",
          details: { field: "calls[1].tool", constraint: "known", received: "tides" },
        }),
      }),
    );
  });

  it("warns about values for unknown parameters", () => {
    const warnings: string[] = [];
    checkNames(read({ values: { port: "dover", harbour: 1, pier: 2 } }), tools, (message) =>
      warnings.push(message),
    );
    expect(warnings).toEqual(["values of the calls file that no tool has an argument for: harbour, pier"]);
  });
});
