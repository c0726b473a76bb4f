import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ContractError } from "@foundry-mcp/contract";
import { createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { foundryCli } from "../bins.ts";
import { hostileCommand } from "./hostile/check-hostile.ts";
import { type CliResult, envelopeOf, reportOf, runFoundryCli } from "./run-check-cli.ts";

const example = fileURLToPath(new URL("../../.build/examples/02-server/server.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "foundry-targets-"));
const token = "planted-token-of-ann-1";
/** A variable in the syntax of the shell. */
const reference = (inner: string) => `\${${inner}}`;
const header = ["--header", `Authorization: Bearer ${reference("TOKEN")}`];

const good = defineTool({
  name: "ledger",
  version: "1.0.0",
  description: "Reads a line of the ledger",
  readOnly: true,
  input: z.object({ line: z.enum(["first", "last"]) }),
  output: z.object({ text: z.string() }),
  run: ({ line }) => ({ text: `the ${line} line` }),
});
/** Fails with a message that contains a secret. */
const leaky = defineTool({
  name: "leaky",
  version: "1.0.0",
  description: "Fails unless told not to, and tells too much",
  readOnly: true,
  input: z.object({ mode: z.enum(["calm", "wild"]) }),
  output: z.object({ mode: z.string() }),
  run: ({ mode }) => {
    if (mode === "wild")
      throw new ContractError(`The token ${token} is not enough`, {
        errorCode: "FORBIDDEN",
        remediation: "None.",
      });
    return { mode };
  },
});

const servers: RunningHttpServer[] = [];
let [url, leakyUrl] = ["", ""];
beforeAll(async () => {
  for (const tool of [good, leaky]) {
    const registry = createRegistry({ name: "books", version: "1.0.0", tools: [tool] });
    servers.push(
      await serveHttp(registry, {
        port: 0,
        handleSignals: false,
        logger: pino({ level: "silent" }),
        tokens: [{ token, principal: "ann" }],
      }),
    );
  }
  [url, leakyUrl] = servers.map((server) => `${server.url}/mcp`) as [string, string];
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  rmSync(folder, { recursive: true });
});

const check = (argv: readonly string[], env: Record<string, string> = {}) =>
  runFoundryCli(["contract", "check", ...argv], { env });
const write = (name: string, content: unknown) => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};
/** Checks that no output of a run contains the token. */
function expectSecret(result: CliResult, ...more: readonly string[]): void {
  expect([result.stdout, result.stderr, ...more].join("\n")).not.toContain("planted-token");
}

describe.concurrent("an address", () => {
  it("is reached with a header from the environment", async () => {
    const result = await check(["--url", url, ...header], { TOKEN: token });
    const { verdict, server } = reportOf(result);
    expect([verdict, server.target, server.name]).toEqual(["passed", url, "books"]);
    expectSecret(result);
  });

  it("is refused without a token, or with a wrong one", async () => {
    const bare = await check(["--url", url]);
    const wrong = await check(["--url", url, ...header], { TOKEN: `${token}-wrong` });
    for (const result of [bare, wrong]) {
      const { data, error } = envelopeOf(result);
      expect([data["error_code"], error]).toEqual([
        "UNAUTHORIZED",
        expect.stringContaining(`Cannot connect to ${url}: `),
      ]);
      expectSecret(result);
    }
  });

  it("is not asked where the variable is not set", async () => {
    const { data, error } = envelopeOf(await check(["--url", url, ...header]));
    expect(error).toContain("TOKEN");
    expect(data).toMatchObject({
      error_type: "validation",
      remediation: expect.stringContaining("Set TOKEN"),
    });
  });

  it("that leaks the token in failures is reported without repeating it", async () => {
    const junit = join(folder, "leaky.xml");
    const calls = write("leaky.json", {
      calls: [{ tool: "leaky", arguments: { mode: "wild" }, expect: "failure" }],
    });
    const argv = ["--url", leakyUrl, ...header, "--calls", calls, "--junit", junit];
    const result = await check(argv, { TOKEN: token });
    expect(reportOf(result).findings.find(({ rule }) => rule === "MCP-14")).toMatchObject({
      tool: "leaky",
      message: "the failure tells a secret that it was given",
      evidence: "***",
    });
    expectSecret(result, readFileSync(junit, "utf8"));
    const human = await check([...argv, "--human"], { TOKEN: token });
    expect(human.stdout).toContain("MCP-14");
    expectSecret(human);
  });
});

describe.concurrent("an address that leads nowhere", () => {
  it("is named by host and port if nothing answers", async () => {
    const server = createServer();
    const { port } = (await once(server.listen(0, "127.0.0.1"), "listening").then(() =>
      server.address(),
    )) as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { data, error } = envelopeOf(await check(["--url", `http://127.0.0.1:${port}/mcp`]));
    expect(error).toBe(
      `Cannot connect to http://127.0.0.1:${port}/mcp: nothing answers at 127.0.0.1:${port}`,
    );
    expect(data["remediation"]).toBe("Start the server, or check host and port of the address.");
  });

  it("is named by its path and gets user and password as a header", async () => {
    const sent: unknown[] = [];
    const server = createServer(({ headers, url: path }, response) => {
      sent.push([path, headers.authorization]);
      response.writeHead(404).end();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    try {
      const result = await check(["--url", `http://ann:${token}@127.0.0.1:${port}/tools`]);
      const { data, error } = envelopeOf(result);
      expect(error).toBe(
        `Cannot connect to http://127.0.0.1:${port}/tools: no MCP server answers at the path "/tools" (HTTP status 404)`,
      );
      expect(data["remediation"]).toContain("often it is /mcp");
      expect(sent[0]).toEqual(["/tools", `Basic ${Buffer.from(`ann:${token}`).toString("base64")}`]);
      expectSecret(result);
    } finally {
      server.close();
    }
  });
});

describe.concurrent("a config", () => {
  it("provides the named server, with variables and defaults", async () => {
    const entry = (path: string) => ({
      command: reference("NODE_PROGRAM:-node"),
      args: [path],
      env: { A: reference("NOT_SET:-b") },
    });
    const config = write("ok.mcp.json", {
      mcpServers: { tides: entry(reference("EXAMPLE")), other: { url: "http://127.0.0.1:9/mcp" } },
    });
    const argv = ["--config", config, "--server", "tides"];
    const { verdict, server } = reportOf(await check(argv, { EXAMPLE: example }));
    expect([verdict, server.name]).toEqual(["passed", "tides"]);
    const missing = envelopeOf(await check(argv));
    expect(missing.error).toContain("EXAMPLE");
    const unknown = envelopeOf(await check(["--config", config, "--server", "tide"]));
    expect(unknown.data).toMatchObject({
      error_code: "NOT_FOUND",
      remediation: expect.stringContaining("tides, other"),
    });
    const unnamed = envelopeOf(await check(["--config", config]));
    expect(unnamed.data).toMatchObject({ remediation: expect.stringContaining("tides, other") });
  });

  it.for([
    ["is not there", undefined, "there is no such file"],
    ["is no JSON", "{", "it is not JSON"],
    ["has no servers", "{}", "mcpServers is missing"],
  ] as const)("that %s is told", async ([, content, why], { task }) => {
    const path = join(folder, `${task.id}.json`);
    if (content !== undefined) writeFileSync(path, content);
    const { data, error } = envelopeOf(await check(["--config", path, "--server", "a"]));
    expect([data["error_type"], error]).toEqual(["validation", expect.stringContaining(why)]);
    expect(data["remediation"]).toEqual(expect.any(String));
  });
});

describe.concurrent("a mistake on the command line", () => {
  it.for([
    [[], 1, "No server is named", "contract check -- node server.js"],
    [["--url", "http://127.0.0.1:9/", "--", "node"], 1, "More than one server is named", "Give one of"],
    [["--server", "a", "--", "node"], 1, "no config to find it in", "--config"],
    [["--header", "A: b", "--", "node"], 1, "Headers go with a url only", "--url"],
    [["--url", "ftp://127.0.0.1/"], 1, "it is no http address", "http://"],
    [["--", "no-such-program-anywhere"], 1, "Cannot connect to the command", ""],
    [["--frobnicate", "--", "node"], 2, "--frobnicate", "--help"],
    [["--dialect", "klingon", "--", "node"], 1, "dialect", ""],
    [["--time-limit", "soon", "--", "node"], 1, "time_limit", ""],
  ] as const)("%j is told, with a remedy", async ([argv, code, why, remedy]) => {
    const { data, error } = envelopeOf(await check(argv), code);
    expect(error).toContain(why);
    expect(data["remediation"]).toContain(remedy);
  });
});

describe.concurrent("a JUnit file", () => {
  const command = ["--", process.execPath, example];

  it("is written, well-formed, with a case for every rule", async () => {
    const junit = join(folder, "good.xml");
    const { rules } = reportOf(await check(["--junit", junit, ...command]));
    const xml = readFileSync(junit, "utf8");
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites /);
    for (const { rule } of rules) expect(xml).toContain(rule);
    expect(balance(xml)).toEqual([]);
    expect(xml).not.toContain("<failure");
  });

  it("is well-formed whatever a server sends", async () => {
    const junit = join(folder, "bad.xml");
    const argv = ["--junit", junit, "--", ...hostileCommand("escapes-everywhere")];
    expect(reportOf(await check(argv)).verdict).toBe("failed");
    const xml = readFileSync(junit, "utf8");
    expect(xml).toContain("<failure");
    expect(balance(xml)).toEqual([]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/);
  });

  it("that cannot be written is reported before the server is started", async () => {
    const started = join(folder, "started");
    const program = `require("node:fs").writeFileSync(${JSON.stringify(started)}, "")`;
    const junit = join(folder, "no", "such", "folder.xml");
    const { data, error } = envelopeOf(
      await check(["--junit", junit, "--", process.execPath, "-e", program]),
    );
    expect([data["error_code"], error]).toEqual([
      "INVALID_PATH",
      `Cannot write the JUnit report to "${junit}": ENOENT`,
    ]);
    expect(data["remediation"]).toContain("--junit");
    expect(existsSync(started)).toBe(false);
  });
});

describe.concurrent("a check that is interrupted", () => {
  it.for(["SIGINT", "SIGTERM"] as const)("by %s leaves nothing behind", async (signal) => {
    const [pids, junit, kept] = ["pids", "new.xml", "kept.xml"].map((name) =>
      join(folder, `${signal}-${name}`),
    );
    writeFileSync(kept ?? "", "the report of before");
    for (const file of [junit, kept]) {
      // This server ignores the signal to end, and has started a child process.
      const program = `const { spawn } = require("node:child_process");
        for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => {});
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
        require("node:fs").writeFileSync(${JSON.stringify(pids)}, JSON.stringify([process.pid, child.pid]));
        setInterval(() => {}, 1000);`;
      rmSync(pids ?? "", { force: true });
      const argv = ["contract", "check", "--junit", file ?? "", "--", process.execPath, "-e", program];
      const child = spawn(process.execPath, [foundryCli, ...argv], { stdio: ["ignore", "pipe", "inherit"] });
      let stdout = "";
      child.stdout.on("data", (chunk) => {
        stdout += chunk;
      });
      const ended = once(child, "close");
      await expect.poll(() => readQuietly(pids ?? "")).toContain("]");
      child.kill(signal);
      expect((await ended)[0]).toBe(130);
      expect(JSON.parse(stdout)).toMatchObject({ success: false, data: { error_code: "CANCELLED" } });
      const started = JSON.parse(readQuietly(pids ?? "")) as readonly number[];
      await expect.poll(() => started.filter(isRunning)).toEqual([]);
    }
    expect([existsSync(junit ?? ""), readQuietly(kept ?? "")]).toEqual([false, "the report of before"]);
  });
});

describe.concurrent("a calls file", () => {
  const command = ["--", process.execPath, example];

  it("whose expectations are met passes, in JSON and in TOML", async () => {
    const json = write("met.json", {
      calls: [
        { tool: "tide", arguments: { port: "dover" }, expect: "success" },
        { tool: "tide", arguments: { port: "atlantis" }, error_code: "NOT_FOUND" },
      ],
      values: { port: ["dover"] },
    });
    const toml = write(
      "met.toml",
      '[values]\nport = ["dover"]\n\n[[calls]]\ntool = "tide"\nexpect = "success"\narguments = { port = "dover" }\n',
    );
    for (const path of [json, toml]) {
      const { verdict, rules, findings } = reportOf(await check(["--calls", path, ...command]));
      expect([findings, verdict]).toEqual([[], "passed"]);
      expect(rules.find(({ rule }) => rule === "MCP-20")).toMatchObject({ status: "passed" });
    }
  });

  it("whose expectations are not met fails by MCP-20", async () => {
    const path = write("unmet.json", {
      calls: [{ name: "the sunken city", tool: "tide", arguments: { port: "atlantis" }, expect: "success" }],
    });
    const { verdict, findings } = reportOf(await check(["--calls", path, ...command]));
    expect(verdict).toBe("failed");
    expect(findings).toEqual([
      expect.objectContaining({ rule: "MCP-20", tool: "tide", arguments: { port: "atlantis" } }),
    ]);
  });

  it("that names an unknown tool is refused before any call", async () => {
    const path = write("unknown-tool.json", { calls: [{ tool: "tides", arguments: {}, expect: "failure" }] });
    const { data, error } = envelopeOf(await check(["--calls", path, ...command]));
    expect(error).toContain('calls[0].tool is "tides", and the server lists no such tool');
    expect(data).toMatchObject({
      error_code: "VALIDATION_ERROR",
      remediation: expect.stringContaining("Did you mean tide?"),
    });
  });

  it("provides values without which the tool cannot be checked", async () => {
    const server = fileURLToPath(new URL("./hostile/keyed.mjs", import.meta.url));
    const keyed = ["--", process.execPath, server];
    const without = reportOf(await check(keyed));
    expect(without.tools).toEqual([
      expect.objectContaining({ tool: "note", status: "not_checked", successes: 0 }),
    ]);
    const path = write("values.toml", '[values]\nid = "k-7f3a"\n');
    const given = reportOf(await check(["--calls", path, ...keyed]));
    expect(given.tools).toEqual([expect.objectContaining({ tool: "note", status: "checked" })]);
  });

  it.for([
    ["nowhere.json", undefined, "there is no such file"],
    ["broken.json", "{", "it is not JSON"],
    ["broken.toml", "calls = [", "TOML"],
    ["unknown.json", '{"cals":[]}', "cals"],
  ] as const)("that cannot be used is told: %s", async ([name, content, why]) => {
    const path = content === undefined ? join(folder, name) : write(name, content);
    const { data, error } = envelopeOf(await check(["--calls", path, ...command]));
    expect([data["error_type"], error]).toEqual(["validation", expect.stringContaining(why)]);
  });
});

function readQuietly(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Returns true if a process runs. A process that has ended is still listed until its parent has waited for it. */
function isRunning(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(readQuietly(`/proc/${pid}/status`));
}

/** Returns the tags of an XML text that are not closed, or that are closed without being open. */
function balance(xml: string): readonly string[] {
  const open: string[] = [];
  for (const [, close, name = "", self] of xml.matchAll(/<(\/?)([\w-]+)(?:\s+[\w:-]+="[^"<]*")*\s*(\/?)>/g)) {
    if (self === "/") continue;
    if (close !== "/") open.push(name);
    else if (open.pop() !== name) return [`</${name}>`];
  }
  // Any other text after "<" is not a tag.
  const rest = xml.replace(/<\?xml[^?]*\?>|<(\/?)([\w-]+)(?:\s+[\w:-]+="[^"<]*")*\s*(\/?)>/g, "");
  return [
    ...open,
    ...(rest.match(/[<>].{0,20}/g) ?? []),
    ...(rest.match(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);).{0,9}/gi) ?? []),
  ];
}
