import { isContractError } from "@foundry-mcp/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameOfCommand } from "./command-name.ts";
import { parseGatewayConfig } from "./gateway-config.ts";
import { matchesGlob } from "./glob.ts";
import { toServedName } from "./served-name.ts";
import { chooseTool } from "./tool-choice.ts";

describe("matchesGlob", () => {
  it.each([
    ["*", "", true],
    ["fs__*", "fs__read", true],
    ["fs__*", "fs_read", false],
    ["*__read_?", "fs__read_a", true],
    ["*__read_?", "fs__read_", false],
    ["a*b*c", "a1b2b3c", true],
    ["a*b*c", "a1b2b3", false],
    ["fs.read", "fsxread", false],
    ["", "", true],
  ])("%j matches %j: %j", (pattern, name, wanted) => {
    expect(matchesGlob(pattern, name)).toBe(wanted);
  });

  it("agrees with a regular expression", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", "."), maxLength: 8 });
    fc.assert(
      fc.property(
        text,
        fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 8 }),
        (pattern, name) => {
          const source = pattern.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".");
          expect(matchesGlob(pattern, name)).toBe(new RegExp(`^${source}$`).test(name));
        },
      ),
    );
  });

  it("takes no exponential time", () => {
    expect(matchesGlob("a*".repeat(200), `${"a".repeat(5_000)}b`)).toBe(true);
    expect(matchesGlob(`${"a*".repeat(200)}c`, `${"a".repeat(5_000)}b`)).toBe(false);
  });
});

describe("chooseTool", () => {
  const choose = (tools: object, tool: string) =>
    chooseTool(parseGatewayConfig(JSON.stringify({ gateway: { tools } }), "f.json"), "fs", tool);

  it("merges the rules that match, the last one first", () => {
    const rules = { "*": { timeout: 5, max_tokens: 100 }, fs__read: { timeout: 9, dialect: "envelope-v1" } };
    expect(choose(rules, "read")).toEqual({
      isAllowed: true,
      isShaped: true,
      timeout: 9,
      max_tokens: 100,
      dialect: "envelope-v1",
    });
    expect(choose(rules, "write")).toEqual({ isAllowed: true, isShaped: true, timeout: 5, max_tokens: 100 });
  });

  it("allows only what is allowed if a rule allows anything", () => {
    const rules = { "fs__read*": { allow: true }, fs__read_all: { allow: false } };
    const names = ["read", "read_one", "read_all", "write"];
    expect(names.filter((name) => choose(rules, name).isAllowed)).toEqual(["read", "read_one"]);
  });
});

describe("parseGatewayConfig", () => {
  it("has defaults for a file without the section", () => {
    expect(parseGatewayConfig('{"mcpServers":{}}', "f.json")).toEqual({
      expose: "all",
      drift: "off",
      servers: {},
      tools: [],
    });
  });

  it.each([
    [{ expose: "some" }, "gateway.expose must be all or search"],
    [{ servers: { a: { timeout: "5" } } }, "gateway.servers.a.timeout must be a number of seconds"],
    [{ servers: { a: { concurrency: 0 } } }, "gateway.servers.a.concurrency must be 1 or more"],
    [
      { tools: { a: { alow: true } } },
      "gateway.tools.a.alow is not a known key; the keys are allow, name, max_tokens, dialect, shape, timeout",
    ],
    [
      { tools: { "a*": { name: "b" } } },
      'gateway.tools["a*"].name would give several tools one name; name the tool without * and ?',
    ],
    [
      { tools: { a: { name: "no spaces" } } },
      "gateway.tools.a.name must have 1 to 64 of A–Z, a–z, 0–9, _ and -",
    ],
  ])("refuses %j", (gateway, message) => {
    let thrown: unknown;
    try {
      parseGatewayConfig(JSON.stringify({ gateway }), "f.json");
    } catch (error) {
      thrown = error;
    }
    expect(isContractError(thrown) && thrown.message).toBe(
      `Cannot read the server file "f.json": ${message}`,
    );
  });
});

it("gives every tool a name that clients accept", () => {
  expect(toServedName("fs__read.file/all")).toBe("fs__read_file_all");
  fc.assert(
    fc.property(fc.string(), (wanted) => {
      expect(toServedName(wanted)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    }),
  );
  const long = "x".repeat(100);
  expect(toServedName(`${long}1`)).not.toBe(toServedName(`${long}2`));
});

it.each([
  [["node", "dist/server.js", "/srv/data"], "server.js"],
  [["npx", "-y", "@scope/server-files@1.0.0", "/srv"], "server-files@1.0.0"],
  [["uv", "run", "weather"], "weather"],
  [["/usr/local/bin/mail-server", "--stdio"], "mail-server"],
  [["npx"], "npx"],
  [[], "server"],
])("names the server of %j %j", (command, name) => {
  expect(nameOfCommand(command)).toBe(name);
});
