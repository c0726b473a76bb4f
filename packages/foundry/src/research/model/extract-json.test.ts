import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractJsonObject } from "./extract-json.ts";

const answer = { summary: 'A "quoted" { brace } \\ 潮汐', key_points: [{ a: {} }] };
const json = JSON.stringify(answer);

describe("extractJsonObject", () => {
  it.each([
    ["by itself", json],
    ["over several lines", JSON.stringify(answer, null, 2)],
    ["in a fence", `\`\`\`json\n${json}\n\`\`\``],
    ["in a fence without a name", `\`\`\`\n${json}\n\`\`\``],
    ["between words", `Here you are: ${json} I hope that {this} helps!`],
    ["behind braces that are none", `I {think} that { "a": 1 } and { are not it: ${json}`],
    ["behind another object", `{"key_points": []} ${json}`],
    ["within another object", `{"digest": ${json}}`],
    ["behind what the model thought", `<think>Say {"summary": "a draft"}?</think>\n${json}`],
  ])("finds an object %s", (_, text) => {
    expect(extractJsonObject(text, "summary")).toEqual(answer);
  });

  it("finds an object that contains </think>", () => {
    expect(extractJsonObject('{"summary": "It ends with </think>."}', "summary")).toEqual({
      summary: "It ends with </think>.",
    });
  });

  it.each([
    "",
    "No.",
    "{",
    "}{",
    '{"summary": "cut',
    '{"summary": "a",}',
    "{'summary': 'a'}",
    '{"toString": 1}',
    '["summary"]',
    '"summary"',
    "{".repeat(250_000),
    '{"a":'.repeat(50_000),
  ])("finds none in a text without one (%#)", (text) => {
    expect(extractJsonObject(text, "summary")).toBeUndefined();
  });

  it("ignores inherited keys", () => {
    expect(extractJsonObject('{"a": 1}', "toString")).toBeUndefined();
  });

  it("finds any JSON object", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.jsonValue(), (summary, other) => {
        const value = JSON.parse(JSON.stringify({ other, summary })) as unknown;
        expect(extractJsonObject(`So: ${JSON.stringify(value)}.`, "summary")).toEqual(value);
      }),
    );
  });
});
