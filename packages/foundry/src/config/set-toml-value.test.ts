import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { setTomlValue } from "./set-toml-value.ts";

describe("setTomlValue", () => {
  it.each([
    ["an empty text", "", "port", 8080, "port = 8080\n"],
    ["a new key", "# mine\nport = 1\n", "host", "::1", '# mine\nport = 1\nhost = "::1"\n'],
    [
      "a key, with its comment",
      "a = 1 # keep\nport = 1  # why\n",
      "port",
      2,
      "a = 1 # keep\nport = 2  # why\n",
    ],
    ["a text with a #", `model = "a#b" # note\n`, "model", "c", `model = "c" # note\n`],
    ["a quoted key", `"port" = 1\n`, "port", 2, "port = 2\n"],
    [
      "a list over several lines",
      `tools = [\n  "spec", # first\n  "task",\n]\nport = 1\n`,
      "tools",
      "all",
      `tools = "all"\nport = 1\n`,
    ],
    [
      "a key before tables",
      `port = 1\n\n# callers\n[[tokens]]\nprincipal = "ann"\n`,
      "host",
      "::1",
      `port = 1\nhost = "::1"\n\n# callers\n[[tokens]]\nprincipal = "ann"\n`,
    ],
    ["a key that only a table has", `[[tokens]]\nport = 1\n`, "port", 2, `port = 2\n[[tokens]]\nport = 1\n`],
    ["other line ends", "a = 1\r\nport = 1\r\n", "port", 2, "a = 1\r\nport = 2\r\n"],
    ["a text without a last line end", "port = 1", "port", 2, "port = 2\n"],
  ])("sets %s", (_name, text, key, value, expected) => {
    expect(setTomlValue(text, key, value)).toBe(expected);
  });

  it("leaves alone what is no TOML", () => {
    expect(setTomlValue("port = = 1\n", "port", 2)).toBeUndefined();
  });

  it("sets any text, and changes nothing else", () => {
    const text = `# top\nport = 1 # a\nmodel = 'x # y' # b\n\n[[tokens]]\nmodel = "z"\n`;
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const edited = setTomlValue(text, "model", value) ?? "";
        expect(parse(edited)).toEqual({ ...parse(text), model: value });
        expect(edited.split("\n").filter((line) => !line.startsWith("model ="))).toEqual(
          text.split("\n").filter((line) => !line.startsWith("model =")),
        );
      }),
    );
  });
});
