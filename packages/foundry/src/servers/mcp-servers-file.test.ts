import { describe, expect, it } from "vitest";
import { findServer, parseMcpServers } from "./mcp-servers-file.ts";
import { refusalOf } from "./testing/refusal.ts";

const env = { TOKEN: "abc-123-xyz", HOME: "/home/ada", BASE: "https://api.example", PASSWORD: "p w/long" };
const file = ".mcp.json";
const parse = (content: unknown) =>
  parseMcpServers(typeof content === "string" ? content : JSON.stringify(content), { file, env });
const only = (entry: unknown) => findServer(parse({ mcpServers: { tides: entry } }), undefined);
const refusal = (entry: unknown) => refusalOf(() => only(entry));

describe("a server of a file", () => {
  it("expands the variables of a command, and treats those of env as secrets", () => {
    const entry = {
      command: `\${HOME}/bin/node`,
      args: ["server.js", `--port=\${PORT:-3000}`, "--api-key", `\${TOKEN}`],
      env: {
        DB_URL: `pg://\${PASSWORD}@db`,
        LEVEL: "debug",
        API_KEY: "literal-key",
        MODE: `\${MODE:-production}`,
      },
      cwd: `\${HOME}`,
      disabled: false,
    };
    expect(only(entry)).toEqual({
      label: `'\${HOME}/bin/node' server.js '--port=\${PORT:-3000}' --api-key '\${TOKEN}'`,
      target: {
        command: "/home/ada/bin/node",
        args: ["server.js", "--port=3000", "--api-key", "abc-123-xyz"],
        env: { DB_URL: "pg://p w/long@db", LEVEL: "debug", API_KEY: "literal-key", MODE: "production" },
        cwd: "/home/ada",
      },
      secrets: ["p w/long", "literal-key", "abc-123-xyz"],
    });
  });

  it("needs only a command or a URL", () => {
    expect(only({ type: "stdio", command: "tides" })).toEqual({
      label: "tides",
      target: { command: "tides", args: [] },
      secrets: [],
    });
    expect(only({ url: "http://127.0.0.1:3000/mcp" })).toEqual({
      label: "http://127.0.0.1:3000/mcp",
      target: { url: "http://127.0.0.1:3000/mcp" },
      secrets: [],
    });
  });

  it("is labelled with its URL without secrets", () => {
    const url = `\${BASE}/\${TOKEN}/mcp?api_key=asked-for&page=first-page`;
    const headers = { Authorization: `Basic \${PASSWORD}`, "X-Region": "north" };
    expect(only({ type: "http", url, headers })).toEqual({
      label: "https://api.example/***/mcp",
      target: {
        url: "https://api.example/abc-123-xyz/mcp?api_key=asked-for&page=first-page",
        headers: { Authorization: "Basic p w/long", "X-Region": "north" },
      },
      secrets: ["abc-123-xyz", "asked-for", "p w/long", "Basic p w/long"],
    });
    expect(only({ type: "streamable-http", url: "https://ada:pass%20word@api.example/mcp" })).toEqual({
      label: "https://api.example/mcp",
      target: { url: "https://ada:pass%20word@api.example/mcp" },
      secrets: ["pass word"],
    });
  });

  it.each([
    ["a text", "tides", "INVALID_FORMAT", "mcpServers.tides", "must be an object"],
    [
      "nothing",
      {},
      "VALIDATION_ERROR",
      "mcpServers.tides",
      "has neither command nor url, wanted one of them",
    ],
    [
      "both",
      { command: "a", url: "b" },
      "VALIDATION_ERROR",
      "mcpServers.tides",
      "has a command and a url, wanted one of them",
    ],
    [
      "another type",
      { type: "ws", url: "b" },
      "VALIDATION_ERROR",
      "mcpServers.tides.type",
      "must be one of stdio, http, streamable-http, sse",
    ],
    [
      "no command",
      { type: "stdio", url: "b" },
      "MISSING_REQUIRED",
      "mcpServers.tides.command",
      "is required",
    ],
    [
      "a wrong argument",
      { command: "a", args: ["b", 1] },
      "INVALID_FORMAT",
      "mcpServers.tides.args[1]",
      "must be a text",
    ],
    [
      "a wrong variable",
      { command: "a", env: { PORT: 1 } },
      "INVALID_FORMAT",
      "mcpServers.tides.env.PORT",
      "must be a text",
    ],
    [
      "an unknown key",
      { command: "a", arg: ["b"] },
      "VALIDATION_ERROR",
      "mcpServers.tides.arg",
      "is not a known key; did you mean args?",
    ],
    [
      "a key of no client",
      { command: "a", environmentVariables: {} },
      "VALIDATION_ERROR",
      "mcpServers.tides.environmentVariables",
      "is not a known key; the keys are type, command, url, args, env, cwd, headers",
    ],
    [
      "no web address",
      { url: "file:///etc" },
      "INVALID_FORMAT",
      "mcpServers.tides.url",
      "is no address that begins with http:// or https://",
    ],
  ])("is refused as %s", async (_title, entry, code, field, why) => {
    expect(await refusal(entry)).toEqual({
      code,
      message: `Cannot read the server file ".mcp.json": ${field} ${why}`,
      remediation: `Correct ${field} in the server file ".mcp.json".`,
      field,
    });
  });

  it("may have the transport sse", () => {
    const text = JSON.stringify({ mcpServers: { tides: { type: "sse", url: "https://api.example/sse" } } });
    expect(parseMcpServers(text, { file: ".mcp.json", env: {} }).toTarget("tides")).toEqual({
      label: "https://api.example/sse",
      target: { url: "https://api.example/sse", isSse: true },
      secrets: [],
    });
  });

  it.each([
    [{ command: "a", env: { KEY: `\${NONE}` } }, "mcpServers.tides.env.KEY", "it"],
    [{ command: "a", args: [`\${NONE}`] }, "mcpServers.tides.args[0]", "it"],
    [{ url: `https://\${NONE}/` }, "mcpServers.tides.url", "it"],
    [{ url: "https://a/", headers: { A: `\${NONE}` } }, "mcpServers.tides.headers.A", "the header A"],
  ])("is refused where a variable is not set: %j", async (entry, field, what) => {
    expect(await refusal(entry)).toEqual({
      code: "VALIDATION_ERROR",
      message: `Cannot read ${field}: ${what} needs NONE, which is not set in the environment`,
      remediation: `Set NONE in the environment, or write a default as \${NONE:-default}.`,
      field,
    });
  });

  it("quotes no secret when its header is refused", async () => {
    const told = JSON.stringify(await refusal({ url: "https://a/", headers: { A: `\${TOKEN}\nx` } }));
    expect(told).toContain("line break");
    expect(told).not.toContain("abc-123");
  });
});

describe("a file of servers", () => {
  const two = { mcpServers: { tides: { command: "a" }, "my notes": { type: "smtp", url: "broken" } } };

  it("returns the named server although others are invalid", async () => {
    const servers = parse(two);
    expect(servers.names).toEqual(["tides", "my notes"]);
    expect(findServer(servers, "tides").label).toBe("a");
    expect(await refusalOf(() => findServer(servers, "my notes"))).toMatchObject({
      code: expect.stringMatching(/^(INVALID_FORMAT|VALIDATION_ERROR)$/),
      message: expect.stringContaining('mcpServers["my notes"].type'),
    });
  });

  it.each([
    [
      '{"mcpServers":{"tides":{"command":"a"},"tides":{"command":"b"}}}',
      "mcpServers.tides is there twice, so one of them would be lost",
    ],
    [
      '{"mcpServers":{"tides":{"command":"a"}},"gateway":{"tools":{"a":{},"a":{}}}}',
      "gateway.tools.a is there twice, so one of them would be lost",
    ],
    ['{"mcpServers":{},"servers":{}}', "servers stands beside mcpServers, so its servers would be lost"],
  ])("is refused if a part of it would be lost: %s", async (text, why) => {
    expect(await refusalOf(() => parse(text))).toMatchObject({
      code: "VALIDATION_ERROR",
      message: `Cannot read the server file ".mcp.json": ${why}`,
    });
  });

  it("may have parts of other programs, whatever they contain", () => {
    const text =
      '{"mcpServers":{"tides":{"command":"a","disabled":false,"alwaysAllow":[]}},"other":{"a":1,"a":2}}';
    expect(findServer(parse(text), "tides").label).toBe("a");
  });

  it("can be that of VS Code", () => {
    expect(findServer(parse({ servers: { tides: { command: "a" } }, inputs: [] }), "tides").label).toBe("a");
  });

  it("lists its servers where none or an unknown one is requested", async () => {
    expect(await refusalOf(() => findServer(parse(two), undefined))).toEqual({
      code: "MISSING_REQUIRED",
      message: 'Cannot choose a server of ".mcp.json": it defines 2, and none is named',
      remediation: "Name one of its servers: tides, my notes.",
      field: "server",
    });
    expect(await refusalOf(() => findServer(parse(two), "constructor"))).toEqual({
      code: "NOT_FOUND",
      message: "Server not found: constructor",
      remediation: 'Name one of the servers that ".mcp.json" defines: tides, my notes.',
      field: "server",
    });
    for (const name of ["tides", undefined]) {
      expect(await refusalOf(() => findServer(parse({ mcpServers: {} }), name))).toEqual({
        code: "NOT_FOUND",
        message: 'Cannot choose a server of ".mcp.json": it defines none',
        remediation: 'Define a server under mcpServers in ".mcp.json".',
        field: "server",
      });
    }
  });

  it.each([
    ["{", "INVALID_FORMAT", "it is not JSON, see line 1, column 2", "the whole"],
    ["[]", "INVALID_FORMAT", "the whole must be an object", "the whole"],
    ["{}", "MISSING_REQUIRED", "mcpServers is missing", "mcpServers"],
    ['{"mcpServers": []}', "INVALID_FORMAT", "mcpServers must be an object of servers by name", "mcpServers"],
  ])("%s is refused", async (text, code, why, field) => {
    expect(await refusalOf(() => parse(text))).toMatchObject({
      code,
      message: `Cannot read the server file ".mcp.json": ${why}`,
      field,
    });
  });
});
