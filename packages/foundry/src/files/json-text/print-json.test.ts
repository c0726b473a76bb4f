import type { JsonValue } from "@foundry-mcp/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonStyle, printJson } from "./print-json.ts";

const compact: JsonStyle = { indent: undefined, newline: "\n", comma: ",", colon: ":", isAscii: false };

const values = fc.array(fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: "binary" })), {
  maxLength: 5,
});

describe("printJson", () => {
  it("prints as JSON.stringify does, on one line and on several", () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 8 }), (value, width) => {
        const json = value as JsonValue;
        expect(printJson(json, compact)).toBe(JSON.stringify(value));
        const style = { ...compact, indent: " ".repeat(width), colon: ": " };
        expect(printJson(json, style)).toBe(JSON.stringify(value, null, width));
      }),
    );
  });

  it("escapes what is not ASCII as Python does", () => {
    const style = { ...compact, comma: ", ", colon: ": ", isAscii: true };
    expect(printJson({ "ü\u007f": ["\u2014", "😀", "\u001f\n"] }, style)).toBe(
      '{"\\u00fc\u007f": ["\\u2014", "\\ud83d\\ude00", "\\u001f\\n"]}',
    );
  });

  it("indents later lines by the margin and uses the given line ending", () => {
    const style = { ...compact, indent: "\t", newline: "\r\n", colon: ": " };
    expect(printJson({ a: [1, []] }, style, "  ")).toBe(
      '{\r\n  \t"a": [\r\n  \t\t1,\r\n  \t\t[]\r\n  \t]\r\n  }',
    );
  });

  it("omits undefined members, as JSON.stringify does", () => {
    const value = { a: undefined, b: [undefined, 1] } as unknown as JsonValue;
    expect(printJson(value, compact)).toBe(JSON.stringify(value));
  });
});
