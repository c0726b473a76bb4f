import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { root } from "../source-files.ts";
import { plainEnv, runProgram } from "../specs/programs.ts";
import { hasTerminal, openTerminal } from "../terminal.ts";

let folder: string;
let specs: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "foundry-sample-"));
  specs = join(folder, "sample/specs");
  return () => rmSync(folder, { recursive: true, force: true });
});

const env = () => ({ ...plainEnv(folder), TERM: "xterm", NO_COLOR: "1", INIT_CWD: folder });
/** The script that npm runs after the build, with another folder for the workspace. */
const script = `import { startSample } from ${JSON.stringify(join(root, ".build/scripts/start-sample.js"))};
await startSample(process.argv.slice(1), process.env.INIT_CWD + "/sample");`;
const command = (...args: readonly string[]) => [
  process.execPath,
  "--input-type=module",
  "-e",
  script,
  "--",
  ...args,
];
const start = (...args: readonly string[]) => openTerminal(command(...args), { cwd: root, env: env() });

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) process.stderr.write("Without curl the line of npm start for it is not run.\n");

describe.skipIf(!hasTerminal)("npm start", () => {
  it("says what to try, which works when it is pasted, and how to stop", async () => {
    const terminal = start("--port", "0");
    await terminal.until("Ctrl-C stops the server.\n");
    const lines = terminal.text.split("\n");
    const [, url = ""] = /MCP at (\S+)\/mcp/.exec(terminal.text) ?? [];
    expect(lines).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d info {2}listening url=/),
      `The page is at ${url}/`,
      `Foundry serves MCP at ${url}/mcp`,
      `  claude mcp add --transport http foundry-mcp ${url}/mcp`,
      "The sample workspace is sample/specs; it stays as you leave it.",
      "Without a client, in another terminal:",
      `  curl ${url}/api/tools/spec -d '{"action":"list"}'`,
      "  npx foundry-mcp tasks next --specs-dir sample/specs",
      "Ctrl-C stops the server.",
      "",
    ]);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);

    const paste = (line = "") => runProgram(["sh", "-c", line.trim()], { cwd: folder, env: env() });
    if (hasCurl)
      expect(JSON.parse((await paste(lines[6])).stdout)).toMatchObject({
        success: true,
        data: { specs: [{ title: "First steps" }] },
      });
    // npx finds the program only in a checkout, and the folder of this test is not a checkout.
    const program = join(root, "node_modules/.bin/foundry-mcp");
    const next = await paste(lines[7]?.replace("npx foundry-mcp", `'${program}'`));
    expect(JSON.parse(next.stdout)).toMatchObject({ success: true, data: { task_id: "task-1-1" } });
    expect(
      spawnSync("npx", ["--no-install", "foundry-mcp", "-v"], { cwd: root, encoding: "utf8" }).stdout,
    ).toContain('"success":true');
    terminal.press("\u0003");
    expect(await terminal.ended).toBe(0);
  });

  it.skipIf(process.platform !== "linux")("opens the page on a desktop when Enter is pressed", async () => {
    const opened = join(folder, "opened");
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(folder, "bin/xdg-open"), `#!/bin/sh\necho "$@" >> '${opened}'\n`, { mode: 0o755 });
    const desktop = { ...env(), DISPLAY: ":9", PATH: `${join(folder, "bin")}:${process.env["PATH"]}` };
    const terminal = openTerminal(command("--port", "0"), { cwd: root, env: desktop });
    await terminal.until("Ctrl-C stops the server.\n");
    const [, url] =
      /^The page is at (\S+) \(press Enter to open it in your browser\)$/m.exec(terminal.text) ?? [];
    terminal.press("\r");
    await expect.poll(() => (existsSync(opened) ? readFileSync(opened, "utf8") : "")).toBe(`${url}\n`);
    terminal.press("\u0003");
    expect(await terminal.ended).toBe(0);
  });

  it("keeps the sample as the user left it, and serves no other specs that the environment names", async () => {
    const stop = async (terminal: ReturnType<typeof start>) => {
      await terminal.until("Ctrl-C stops");
      terminal.press("\u0003");
      expect(await terminal.ended).toBe(0);
    };
    await stop(start("--port", "0"));
    const [spec = ""] = readdirSync(join(specs, "active"));
    rmSync(join(specs, "active", spec));
    const other = join(folder, "other");
    const variables = {
      FOUNDRY_SPECS_DIR: other,
      FOUNDRY_STORE: "postgres",
      FOUNDRY_TOKEN: "a-long-secret-0123456789",
    };
    const terminal = openTerminal(command("--port", "0"), { cwd: root, env: { ...env(), ...variables } });
    await stop(terminal);
    expect([existsSync(other), readdirSync(join(specs, "active"))]).toEqual([false, []]);
    expect(terminal.text).toContain(`-d '{"action":"list"}' -H "Authorization: Bearer $FOUNDRY_TOKEN"\n`);
    expect(terminal.text).not.toContain("a-long-secret");
  });

  it("says on a taken port how to use another one, in words of npm", async () => {
    const first = start("--port", "0");
    await first.until("Ctrl-C stops");
    const [, port = ""] = /MCP at \S+:(\d+)\/mcp/.exec(first.text) ?? [];
    const second = start("--port", port, "--log-level", "warn");
    expect(await second.ended).toBe(1);
    expect(second.text).toMatch(/^error: Cannot serve at 127\.0\.0\.1:\d+: a Foundry server listens there/);
    const [, free = ""] = /\ntry: npm start -- --log-level warn --port (\d+)\n$/.exec(second.text) ?? [];
    expect(Number(free)).toBeGreaterThan(0);
    const third = start("--log-level", "warn", "--port", free);
    await third.until(`MCP at http://127.0.0.1:${free}/mcp`);
    for (const each of [first, third]) {
      each.press("\u0003");
      expect(await each.ended).toBe(0);
    }
  });
});

describe("npm start without a terminal", () => {
  it("logs JSON, and answers a taken port with one envelope", async () => {
    const { createServer } = await import("node:net");
    const server = createServer();
    onTestFinished(() => void server.close());
    const port = await new Promise<number>((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve((server.address() as { readonly port: number }).port)),
    );
    const { code, stdout } = await runProgram(command("--port", String(port)), { cwd: root, env: env() });
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      {
        success: false,
        data: {
          error_code: "UNAVAILABLE",
          remedy: { command: expect.stringMatching(/^npm start -- --port \d+$/) },
        },
      },
    ]);
  });
});
