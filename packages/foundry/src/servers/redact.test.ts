import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, redactDeep } from "./redact.ts";

const secret = 'p"ss wörd/+1';
const redact = createRedactor([secret, "token-1", "token-123"]);
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("a redactor", () => {
  it.each([
    ["as it is", `a ${secret} b`, "a *** b"],
    ["in JSON", JSON.stringify({ a: secret }), '{"a":"***"}'],
    ["in a URL", `?q=${encodeURIComponent(secret)}&r=1`, "?q=***&r=1"],
    [
      "in a URL in small letters",
      `?q=${encodeURIComponent(secret).replace("%C3%B6", "%c3%b6").replace("%2F%2B", "%2f%2b")}`,
      "?q=***",
    ],
    ["in a form", `q=${encodeURIComponent(secret).replaceAll("%20", "+")}`, "q=***"],
    ["in base64", `Basic ${base64(secret)}`, "Basic ***"],
    ["in base64url", `Basic ${Buffer.from("token-123").toString("base64url")}.`, "Basic ***."],
    ["the longer one first", "token-123 token-1", "*** ***"],
    ["not at all where there is none", "token-2", "token-2"],
  ])("finds a secret %s", (title, text, expected) => {
    // If the number of bytes is not a multiple of three, the end of a base64 group is shared, and its padding stays.
    expect(redact(text).replace(/=+$/, ""), title).toBe(expected);
  });

  it("masks overlapping secrets", () => {
    expect(createRedactor(["abcd", "cdefgh", "ijkl"])("xabcdefghijklx abcd")).toBe("x***x ***");
  });

  it("ignores values that are too short or too common", () => {
    expect(createRedactor(["abc", "true", "null", ""])("abc true null")).toBe("abc true null");
  });

  it.each(["", "u", "us", "use", "user"])("finds a password in base64 after %j", (user) => {
    const hidden = createRedactor(["long-password"])(base64(`${user}:long-password`));
    const shown = Buffer.from(hidden.replaceAll("***", ""), "base64").toString();
    expect(hidden).toContain("***");
    expect(shown).not.toContain("passw");
  });

  it("leaves no part of any secret", () => {
    const secrets = fc.array(
      fc.string({ unit: fc.constantFrom(...'ab/+%"\\ö '), minLength: 4, maxLength: 8 }),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(secrets, fc.array(fc.string({ unit: fc.constantFrom(...'ab/+%"') })), (hidden, around) => {
        const text = around.flatMap((piece, index) => [piece, hidden[index % hidden.length]]).join("");
        const redacted = createRedactor(hidden)(text);
        expect(hidden.filter((each) => redacted.includes(each))).toEqual([]);
      }),
    );
  });
});

describe("a redacted value", () => {
  it("has no secret in its strings, keys and numbers, and is otherwise unchanged", () => {
    const number = createRedactor(["token-1", "12345678"]);
    const value = {
      "token-1": 1,
      "a token-1": [true, null, "token-1!", { deep: "x" }],
      number: 12345678,
      other: 1.5,
      empty: {},
    };
    const before = structuredClone(value);
    expect(redactDeep(value, number)).toEqual({
      "***": 1,
      "a ***": [true, null, "***!", { deep: "x" }],
      number: "***",
      other: 1.5,
      empty: {},
    });
    expect(value).toEqual(before);
  });

  it("keeps keys that become equal, and __proto__", () => {
    const value = JSON.parse('{"token-1": 1, "token-123": 2, "__proto__": {"a": "token-1"}}') as object;
    expect(JSON.stringify(redactDeep(value, redact))).toBe('{"***":1,"*** (2)":2,"__proto__":{"a":"***"}}');
  });

  it("can be nested deeper than the stack", () => {
    let deep: unknown = "token-1";
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    let redacted = redactDeep(deep, redact);
    while (Array.isArray(redacted)) redacted = redacted[0];
    expect(redacted).toBe("***");
  });
});
