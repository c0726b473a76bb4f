import { errorResponse } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { tablesUnder } from "./markdown.ts";

const page = "docs/reference/python-names.md";
const code = (cell = "") => cell.replaceAll("`", "");

describe(page, () => {
  const [functions = [], expressions = []] = tablesUnder(page, "## Functions and types");
  const [options = []] = tablesUnder(page, "## Options of the builders");

  it("names values that the entry points export", async () => {
    const rows = [...functions, ...expressions].map(({ TypeScript = "", from = "" }) => ({
      name: code(TypeScript).replace(/\(.*/, ""),
      from: code(from),
    }));
    expect(rows.length).toBe(14);
    for (const { name, from } of rows) {
      const names = (await import(from)) as Record<string, unknown>;
      expect([from, name, names[name] !== undefined]).toEqual([from, name, true]);
    }
  });

  it("has every name that the documents print", () => {
    const printed = [
      "success_response",
      "error_response",
      "asdict",
      "mcp.tool",
      "serialize_payload",
      "deserialize_payload",
      "validate_payload_dict",
      "DigestPayload",
      "DigestPayload.from_json",
      "EvidenceSnippet",
      "pydantic.ValidationError",
    ];
    expect(functions.map((row) => code(row["Python"]))).toEqual(printed);
  });

  it("names the options that builders refuse in the spelling of Python, and no other", () => {
    const told = options.map((row) => [code(row["Python"]), code(row["TypeScript"])] as const);
    const refused = told.filter(([python, typescript]) => python.includes("_") && typescript !== python);
    expect(refused.length).toBe(8);
    for (const [python, typescript] of refused) {
      expect(() => errorResponse("No", { [python]: "x" } as object)).toThrow(
        new TypeError(
          `Cannot build the answer: errorResponse takes no option ${python}; write ${typescript}`,
        ),
      );
    }
    for (const [python] of told.filter((row) => !refused.includes(row))) expect(python).not.toContain("_");
  });
});
