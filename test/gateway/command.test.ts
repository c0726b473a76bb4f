import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Envelope } from "@foundry-mcp/contract";
import { connectRaw } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { emptyHome, foundryCli } from "../bins.ts";

const folder = mkdtempSync(join(tmpdir(), "foundry-gateway-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));
const fixture = fileURLToPath(
  new URL("../../packages/foundry/src/gateway/fixtures/upstream.mjs", import.meta.url),
);
const config = join(folder, "servers.json");
const entry = (way: string) => ({ command: process.execPath, args: [fixture, way] });
// biome-ignore lint/suspicious/noTemplateCurlyInString: a reference to a variable in a server file
const unset = { command: "${FOUNDRY_NO_SUCH_VARIABLE}" };
const env = { PATH: process.env["PATH"], HOME: emptyHome, FOUNDRY_LOG_LEVEL: "silent" };

beforeAll(() => {
  const gateway = { tools: { good__change: { allow: false } } };
  writeFileSync(config, JSON.stringify({ mcpServers: { good: entry("good"), unset }, gateway }));
});

/** Runs a gateway command to its end. */
const run = (...args: readonly string[]) => runIn({}, args);

function runIn(
  variables: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [foundryCli, "gateway", ...args],
      { env: { ...env, ...variables }, cwd: folder },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
      },
    );
  });
}
const parse = (text: string) => JSON.parse(text) as Envelope<Record<string, unknown>>;

describe("gateway --dry-run", () => {
  it("lists what would be served, and why a server is missing", async () => {
    const { code, stdout } = await run("--config", config, "--dry-run");
    const { data } = parse(stdout);
    expect([code, data["tools"]]).toEqual([
      0,
      [{ name: "good__call", upstream: "good", tokens: expect.any(Number) }],
    ]);
    expect(data["upstreams"]).toEqual([
      expect.objectContaining({ name: "good", state: "ready", tools: 1, denied: 1 }),
      expect.objectContaining({
        name: "unset",
        state: "invalid",
        reason: expect.stringContaining("FOUNDRY_NO_SUCH_VARIABLE"),
      }),
    ]);
  });

  it("tells which rules name nothing, to programs and to people", async () => {
    const file = join(folder, "typos.json");
    const gateway = {
      servers: { goood: { timeout: 5 } },
      tools: { change: { allow: false }, good__call: {} },
    };
    writeFileSync(file, JSON.stringify({ mcpServers: { good: entry("good") }, gateway }));
    const warnings = [
      'gateway.servers["goood"] names no server; did you mean good?',
      'gateway.tools["change"] matches no tool; did you mean good__change?',
    ];
    const [json, human] = await Promise.all([
      run("--config", file, "--dry-run"),
      run("--config", file, "--dry-run", "--human"),
    ]);
    expect([json.code, parse(json.stdout).meta.warnings]).toEqual([0, warnings]);
    expect(human.stdout.split("\n").filter((line) => line.startsWith("Warning: "))).toEqual(
      warnings.map((text) => `Warning: ${text}`),
    );
  });

  it("fails if no server can be reached, and still lists the reasons", async () => {
    const { code, stdout } = await run("--dry-run", "--", process.execPath, fixture, "exits-at-start");
    const { success, data } = parse(stdout);
    expect([code, success, data["upstreams"]]).toEqual([
      1,
      true,
      [expect.objectContaining({ name: "upstream.mjs", state: "waiting", tools: 0 })],
    ]);
  });

  it("gives the server behind -- the environment, whose secrets no failure contains", async () => {
    const secret = "sk-1234567890";
    const { stdout } = await run("--dry-run", "--", process.execPath, fixture, "exits-at-start");
    expect(stdout).toContain("No key: none is not valid");
    const { stdout: masked } = await runIn({ API_KEY: secret }, [
      "--dry-run",
      "--",
      process.execPath,
      fixture,
      "exits-at-start",
    ]);
    expect(masked).toContain("No key: *** is not valid");
    expect(masked).not.toContain(secret);
  });

  it("formats the list for people", async () => {
    const { stdout } = await run("--dry-run", "--human", "--", process.execPath, fixture, "good");
    expect(stdout.replaceAll(/\d+ tokens/g, "N tokens")).toBe(
      "upstream.mjs: ready, 2 tools\n  call  N tokens\n  change  N tokens\nClients list N tokens of definitions.\n",
    );
  });
});

describe("gateway approve", () => {
  it("approves what the servers list now, for gateways with drift", async () => {
    const home = mkdtempSync(join(folder, "home-"));
    const file = join(folder, "drift.json");
    const write = (way: string) =>
      writeFileSync(
        file,
        JSON.stringify({ mcpServers: { one: entry(way) }, gateway: { drift: "withhold" } }),
      );
    write("good");
    const names = async () => {
      const { stdout } = await runIn({ HOME: home }, ["--config", file, "--dry-run"]);
      return (parse(stdout).meta.warnings ?? []).length;
    };
    expect(await names()).toBe(2);
    const { code, stdout } = await runIn({ HOME: home }, ["approve", "--config", file]);
    expect([code, parse(stdout).data]).toEqual([0, { approved: ["call", "change"], missing: [] }]);
    expect(await names()).toBe(0);
    write("changed-definition");
    expect(await names()).toBe(2);
  });
});

describe("a gateway without a server", () => {
  it.each([
    [[], "The gateway has no server: it takes a config or a command", "MISSING_REQUIRED"],
    [
      ["--config", "x.json", "--", "node"],
      "The gateway takes a config or a command, and both are given",
      "VALIDATION_ERROR",
    ],
    [["staus"], 'Cannot start "staus": no program of that name is on the PATH', "VALIDATION_ERROR"],
    [["--config", "x.json"], 'Cannot read the config "x.json": there is no such file', "INVALID_PATH"],
    [
      ["status", "--url", "http://127.0.0.1:9"],
      "Cannot ask the gateway at 127.0.0.1:9: nothing answers",
      "DEPENDENCY_UNAVAILABLE",
    ],
  ])("%j fails with %j", async (args, message, errorCode) => {
    const { code, stdout } = await run(...args);
    const { error, data } = parse(stdout);
    expect([code, error, data["error_code"]]).toEqual([1, message, errorCode]);
  });

  it("that is a typo of status asks whether status is meant", async () => {
    const { stdout } = await run("staus");
    expect(parse(stdout).data["remediation"]).toBe(
      "Did you mean gateway status? Write the command of one server behind --, as in gateway -- node server.js.",
    );
  });

  it("tells its own default of --archive-dir", async () => {
    const { stdout } = await run("--help");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("left out of shortened answers (default: in memory)");
  });

  it("names an unknown key of the section", async () => {
    const file = join(folder, "wrong.json");
    writeFileSync(file, JSON.stringify({ mcpServers: { good: entry("good") }, gateway: { expos: "all" } }));
    const { stdout } = await run("--config", file, "--dry-run");
    expect(parse(stdout).error).toContain(
      "gateway.expos is not a known key; the keys are expose, drift, servers, tools",
    );
  });
});

describe("a gateway over stdio", () => {
  it("answers, and ends with its client; its servers end too", async () => {
    const child = spawn(process.execPath, [foundryCli, "gateway", "--", process.execPath, fixture, "good"], {
      env,
      cwd: folder,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (id: number, method: string, params: object) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      for (;;) {
        const { value } = await lines.next();
        const message = JSON.parse(String(value)) as { readonly id?: number; readonly result?: never };
        if (message.id === id) return message.result as unknown as Record<string, unknown>;
      }
    };
    const clientInfo = { name: "test", version: "1.0.0" };
    await ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    const { structuredContent } = await ask(2, "tools/call", { name: "call", arguments: {} });
    const { pid } = (structuredContent as { data: { pid: number } }).data;
    expect(() => process.kill(pid, 0)).not.toThrow();
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(() => process.kill(pid, 0)).toThrow();
  });
});

describe("a gateway whose file changes", () => {
  it("serves the servers of the changed file; an invalid file changes nothing", async () => {
    const file = join(folder, "changing.json");
    const write = (mcpServers: object) => writeFileSync(file, JSON.stringify({ mcpServers }));
    write({ first: entry("good") });
    await using connection = await connectRaw({
      command: process.execPath,
      args: [foundryCli, "gateway", "--config", file],
      env: { HOME: emptyHome, FOUNDRY_LOG_LEVEL: "silent" },
      stderr: "ignore",
    });
    const list = async () => {
      const reply = await connection.request("tools/list");
      const { tools } = (reply as { readonly result: { readonly tools: readonly { name: string }[] } })
        .result;
      return tools.map(({ name }) => name);
    };
    expect(await list()).toEqual(["content", "call", "change"]);
    const pidOf = async (tool: string) => {
      const reply = await connection.request("tools/call", { name: tool, arguments: {} });
      return (reply as { readonly result: { structuredContent: { data: { pid: number } } } }).result
        .structuredContent.data.pid;
    };
    const pid = await pidOf("call");
    writeFileSync(file, "{ no JSON");
    write({ first: entry("good"), second: entry("good") });
    await vi.waitFor(async () => expect(await list()).toContain("second__call"), {
      timeout: 20_000,
      interval: 200,
    });
    expect(await pidOf("first__call")).toBe(pid);
  });
});

describe("a gateway over HTTP", () => {
  it("answers POST /api, reports its status, and ends after the running call on SIGTERM", async () => {
    const child = spawn(
      process.execPath,
      [foundryCli, "gateway", "--port", "0", "--", process.execPath, fixture, "reports-progress"],
      { env, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
    );
    const [line] = (await once(createInterface({ input: child.stderr }), "line")) as [string];
    const url = /http:\S+(?=\/mcp)/.exec(line)?.[0] ?? "";
    const call = fetch(`${url}/api/tools/call`, { method: "POST", body: '{"value":4}' });
    expect(await (await call).json()).toMatchObject({ success: true, data: { args: { value: 4 } } });
    const watch = spawn(
      process.execPath,
      [foundryCli, "gateway", "status", "--url", url, "--human", "--watch"],
      {
        env,
        cwd: folder,
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    const shown = createInterface({ input: watch.stdout })[Symbol.asyncIterator]();
    let times = 0;
    while (times < 2) if (/^upstream.mjs: ready/.test(String((await shown.next()).value))) times += 1;
    watch.kill("SIGINT");
    const { code, stdout } = await run("status", "--url", url, "--human");
    expect([code, stdout.split("\n")[0]]).toEqual([0, "upstream.mjs: ready, 2 tools, 1 call"]);
    const last = fetch(`${url}/api/tools/call`, { method: "POST", body: '{"value":5}' });
    // The call takes 30 ms in the server; the signal arrives while it runs.
    setTimeout(() => child.kill("SIGTERM"), 10);
    expect(await (await last).json()).toMatchObject({ success: true, data: { args: { value: 5 } } });
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});
