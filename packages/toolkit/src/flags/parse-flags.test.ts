import { isContractError } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { parseFlagFile, parseFlags } from "./parse-flags.ts";

function problemOf(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (isContractError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("It was read");
}

const read = (content: unknown) => parseFlagFile(content, "the flag file", {});

describe("a flag file", () => {
  it("is parsed with its defaults, in camelCase", () => {
    const whole = {
      description: "A new search",
      state: "beta",
      default: true,
      owner: "search-team",
      created_at: "2026-01-31",
      expires_at: "2027-01-31T12:00:00+02:00",
      percentage: 20,
      allow: ["alice"],
      block: ["mallory"],
      dependencies: ["index"],
    };
    const content = {
      flags: { search: whole, index: {} },
      overrides: { index: true },
      client_overrides: { bob: { search: false } },
    };
    const { created_at, expires_at, ...same } = whole;
    expect(read(content)).toEqual({
      flags: new Map<string, unknown>([
        ["search", { ...same, createdAt: created_at, expiresAt: expires_at }],
        ["index", { state: "experimental", default: false, allow: [], block: [], dependencies: [] }],
      ]),
      overrides: new Map([["index", true]]),
      clientOverrides: new Map([["bob", new Map([["search", false]])]]),
    });
  });

  it("yields to overrides in code", () => {
    const content = {
      flags: { a: {}, b: {} },
      overrides: { a: true, b: true },
      client_overrides: { bob: { a: true, b: true } },
    };
    const above = { overrides: { a: false }, clientOverrides: { bob: { a: false }, eve: { b: false } } };
    const { overrides, clientOverrides } = parseFlagFile(content, "the flag file", above);
    expect({ overrides, clientOverrides }).toEqual({
      overrides: new Map([
        ["a", false],
        ["b", true],
      ]),
      clientOverrides: new Map([
        [
          "bob",
          new Map([
            ["a", false],
            ["b", true],
          ]),
        ],
        ["eve", new Map([["b", false]])],
      ]),
    });
  });

  const search = (definition: object) => ({ flags: { search: definition } });
  it.each([
    ["a list", [], "INVALID_FORMAT", "the whole must be an object"],
    ["no flags", {}, "INVALID_FORMAT", "flags must be an object"],
    [
      "an unknown part",
      { flags: {}, overides: {} },
      "VALIDATION_ERROR",
      "overides is an unknown key: did you mean overrides?",
    ],
    [
      "an unknown key",
      search({ expire_at: "2027-01-01" }),
      "VALIDATION_ERROR",
      "flags.search.expire_at is an unknown key: did you mean expires_at?",
    ],
    [
      "a key as code writes it",
      search({ expiresAt: "2027-01-01" }),
      "VALIDATION_ERROR",
      "flags.search.expiresAt is an unknown key: did you mean expires_at?",
    ],
    [
      "a key like no other",
      search({ rollout: 1 }),
      "VALIDATION_ERROR",
      "flags.search.rollout is an unknown key",
    ],
    [
      "an unknown state",
      search({ state: "stabel" }),
      "VALIDATION_ERROR",
      "flags.search.state must be one of experimental, beta, stable, deprecated: did you mean stable?",
    ],
    [
      "a wrong type",
      search({ default: "true" }),
      "INVALID_FORMAT",
      "flags.search.default must be true or false",
    ],
    [
      "a text for a list",
      search({ allow: "bob" }),
      "INVALID_FORMAT",
      "flags.search.allow must be a list of texts",
    ],
    ["a number in a list", search({ allow: [1] }), "INVALID_FORMAT", "flags.search.allow.0 must be a text"],
    [
      "a part of a percent",
      search({ percentage: 0.5 }),
      "INVALID_FORMAT",
      "flags.search.percentage must be a whole number from 0 to 100",
    ],
    [
      "more than all",
      search({ percentage: 101 }),
      "VALIDATION_ERROR",
      "flags.search.percentage must be at most 100",
    ],
    [
      "less than none",
      search({ percentage: -1 }),
      "VALIDATION_ERROR",
      "flags.search.percentage must be at least 0",
    ],
    [
      "no date",
      search({ expires_at: "soon" }),
      "VALIDATION_ERROR",
      "flags.search.expires_at must be a day such as 2027-01-31 or an instant such as 2027-01-31T12:00:00Z",
    ],
    [
      "a bad name",
      { flags: { "a b": {} } },
      "VALIDATION_ERROR",
      "flags.a b must be a name of up to 100 letters, digits, _, . and -",
    ],
    [
      "an unknown dependency",
      { flags: { search: { dependencies: ["indx"] }, index: {} } },
      "VALIDATION_ERROR",
      'flags.search.dependencies.0 names the flag "indx", which is not defined: did you mean index?',
    ],
    [
      "an unknown override",
      { ...search({}), overrides: { serach: true } },
      "VALIDATION_ERROR",
      'overrides.serach names the flag "serach", which is not defined: did you mean search?',
    ],
    [
      "an unknown override of a client",
      { ...search({}), client_overrides: { bob: { x: true } } },
      "VALIDATION_ERROR",
      'client_overrides.bob.x names the flag "x", which is not defined',
    ],
    [
      "a circle",
      { flags: { z: { dependencies: ["a"] }, a: { dependencies: ["b"] }, b: { dependencies: ["a"] } } },
      "CIRCULAR_DEPENDENCY",
      "flags.a.dependencies form a cycle: a → b → a",
    ],
    [
      "a flag that needs itself",
      search({ dependencies: ["search"] }),
      "CIRCULAR_DEPENDENCY",
      "flags.search.dependencies form a cycle: search → search",
    ],
    [
      "a chain of 100,000 dependencies",
      {
        flags: Object.fromEntries(
          Array.from({ length: 100_000 }, (_, index) => [
            `f${index}`,
            { dependencies: [`f${(index + 1) % 100_000}`] },
          ]),
        ),
      },
      "VALIDATION_ERROR",
      "flags.f0.dependencies form a chain of more than 100 flags",
    ],
  ])("is refused with %s", (_name, content, code, problem) => {
    expect(problemOf(() => read(content))).toEqual({
      code,
      message: `Cannot read the flag file: ${problem}`,
    });
  });

  it("is refused with up to ten problems and their paths in details", () => {
    const flags = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}`, { default: 1 }]));
    const { message } = problemOf(() => read({ flags }));
    expect(message.split("; ")).toEqual([
      "Cannot read the flag file: flags.f0.default must be true or false",
      ...Array.from({ length: 9 }, (_, index) => `flags.f${index + 1}.default must be true or false`),
      "and 2 more",
    ]);
  });

  it("is not blamed for an override in code that names no flag", () => {
    expect(
      problemOf(() => parseFlagFile({ flags: {} }, "the flag file", { overrides: { x: true } })),
    ).toEqual({
      code: "VALIDATION_ERROR",
      message:
        'Cannot read the flag options for the flag file: overrides.x names the flag "x", which is not defined',
    });
  });
});

describe("flags in code", () => {
  it("have their dates in camelCase", () => {
    const { flags } = parseFlags({ flags: { a: { createdAt: "2026-01-31", expiresAt: "2027-01-31" } } });
    expect(flags.get("a")).toMatchObject({ createdAt: "2026-01-31", expiresAt: "2027-01-31" });
    expect(problemOf(() => parseFlags({ flags: { a: { expires_at: "2027-01-31" } as object } }))).toEqual({
      code: "VALIDATION_ERROR",
      message: "Cannot read the flag options: flags.a.expires_at is an unknown key: did you mean expiresAt?",
    });
  });
});
