import { isContractError } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { silentLogger } from "../context/logger.ts";
import { createRegistry } from "../registry/registry.ts";
import { createHttpApp } from "./http-app.ts";
import { type HttpOptions, serveHttp } from "./serve-http.ts";

const registry = createRegistry({ name: "s", version: "1.0.0" });

/** Returns how the server refuses options, or "served". */
async function outcomeOf(options: unknown): Promise<unknown> {
  try {
    const server = await serveHttp(registry, {
      port: 0,
      handleSignals: false,
      logger: silentLogger,
      ...(options as HttpOptions),
    });
    await server.close();
    return "served";
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    return [
      thrown.message.replace("Cannot create a server over HTTP: ", ""),
      thrown.options.remediation,
      thrown.options.errorCode,
    ];
  }
}

const tokens = [{ token: "a-long-secret-0123456789", principal: "ann" }];
const upFrom1 = "a number from 1 up";
const bytes = "a whole number from 1 to 9007199254740991";
const ports = "a whole number from 0 to 65535";

describe("numbers out of range", () => {
  it.each<[unknown, string, string, string]>([
    [{ sessions: { sessions: 0 } }, "sessions.sessions", "0", upFrom1],
    [{ sessions: { sessions: "10" } }, "sessions.sessions", '"10"', upFrom1],
    [{ sessions: { idleMs: 0.5 } }, "sessions.idleMs", "0.5", upFrom1],
    [{ sessions: { idleMs: Number.NaN } }, "sessions.idleMs", "NaN", upFrom1],
    [{ graceMs: -1 }, "graceMs", "-1", "a number from 0 up"],
    [{ graceMs: Number.NaN }, "graceMs", "NaN", "a number from 0 up"],
    [{ graceMs: null }, "graceMs", "null", "a number from 0 up"],
    [{ maxBodyBytes: 0 }, "maxBodyBytes", "0", bytes],
    [{ maxBodyBytes: Number.POSITIVE_INFINITY }, "maxBodyBytes", "Infinity", bytes],
    [{ maxBodyBytes: "4mb" }, "maxBodyBytes", '"4mb"', bytes],
    [{ port: -1 }, "port", "-1", ports],
    [{ port: 65_536 }, "port", "65536", ports],
    [{ port: 80.5 }, "port", "80.5", ports],
    [{ port: Number.NaN }, "port", "NaN", ports],
    [{ port: "3000" }, "port", '"3000"', ports],
  ])("are refused: %j", async (options, name, value, wanted) => {
    expect(await outcomeOf(options)).toEqual([
      `${name} is ${value}, not ${wanted}`,
      `Set ${name} to ${wanted}.`,
      "INTERNAL_ERROR",
    ]);
  });

  it("do not include the limits themselves", async () => {
    const sessions = { sessions: 1, idleMs: Number.POSITIVE_INFINITY };
    for (const graceMs of [0, Number.POSITIVE_INFINITY]) {
      expect(await outcomeOf({ sessions, graceMs, maxBodyBytes: 1 })).toBe("served");
    }
  });
});

describe("allowedHosts and allowedOrigins", () => {
  const write = (name: string) => `Write ${name}: no scheme, port, path or *.`;
  const eachByName = write("each host by its name");

  it.each<[string, string]>([
    ["harbour.example:3000", write('"harbour.example"')],
    ["https://harbour.example", write('"harbour.example"')],
    ["https://harbour.example:3000/mcp", write('"harbour.example"')],
    ["harbour.example/mcp", write('"harbour.example"')],
    ["Harbour.example", write('"harbour.example"')],
    [" harbour.example", write('"harbour.example"')],
    ["::1", write('"[::1]"')],
    ["*", eachByName],
    ["*.harbour.example", eachByName],
    ["https://*", eachByName],
    ["two names", eachByName],
  ])("are refused: %j", async (name, remediation) => {
    for (const option of ["allowedHosts", "allowedOrigins"]) {
      expect(await outcomeOf({ [option]: ["localhost", name] })).toEqual([
        `${option}[1] ${JSON.stringify(name)} is no host name, so it would match nothing`,
        remediation,
        "INTERNAL_ERROR",
      ]);
    }
  });

  it.each<[unknown, string, string]>([
    ["localhost", " is no list", "Name a host, or leave OPTION out."],
    [[""], "[0] is blank", "Name a host, such as harbour.example."],
    [[" "], "[0] is blank", "Name a host, such as harbour.example."],
    [[undefined], "[0] is blank", "Name a host, such as harbour.example."],
  ])("are refused: %j", async (names, fault, remediation) => {
    for (const option of ["allowedHosts", "allowedOrigins"]) {
      const expected = remediation.replace("OPTION", option);
      expect(await outcomeOf({ [option]: names })).toEqual([`${option}${fault}`, expected, "INTERNAL_ERROR"]);
    }
  });

  it("must not be empty for hosts, and may be empty for origins", async () => {
    expect(await outcomeOf({ allowedHosts: [] })).toEqual([
      "allowedHosts is empty, so it would match nothing",
      "Name a host, or leave allowedHosts out.",
      "INTERNAL_ERROR",
    ]);
    expect(await outcomeOf({ allowedOrigins: [] })).toBe("served");
  });

  it("accept names that a request can have", async () => {
    for (const name of [
      "localhost",
      "harbour.example",
      "xn--hfen-loa.example",
      "192.0.2.1",
      "[2001:db8::1]",
      "a_b",
    ]) {
      expect([name, await outcomeOf({ tokens, allowedHosts: [name], allowedOrigins: [name] })]).toEqual([
        name,
        "served",
      ]);
    }
    expect(await outcomeOf({ tokens, allowedOrigins: ["vscode-webview://*"] })).toBe("served");
    expect(await outcomeOf({ tokens, allowedHosts: ["vscode-webview://*"] })).not.toBe("served");
  });
});

describe("createHttpApp", () => {
  it("refuses the same options", () => {
    expect(() => createHttpApp(registry, { allowedHosts: [] })).toThrow("allowedHosts is empty");
    expect(() => createHttpApp(registry, { maxBodyBytes: -1 })).toThrow("maxBodyBytes is -1");
    expect(() => createHttpApp(registry, { sessions: { sessions: 0 } })).toThrow("sessions.sessions is 0");
  });
});

describe("further registries", () => {
  it.each(["gateway", "/", "", "/Gateway", "/a/b", "/mcp", "/api", "/healthz", "/../x", "/*"])(
    "are refused below %j",
    async (prefix) => {
      expect(await outcomeOf({ mounted: { [prefix]: registry } })).toEqual([
        `mounted has ${JSON.stringify(prefix)}, which is no beginning of a path`,
        "Write one word in lower case after a slash, such as /gateway.",
        "INTERNAL_ERROR",
      ]);
    },
  );
});
