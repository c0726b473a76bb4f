import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { foundryCli } from "../bins.ts";
import { hasTerminal, openTerminal } from "../terminal.ts";
import { callCli, openHttpServer, plainEnv } from "./programs.ts";
import { createWorkspace, type TestWorkspace } from "./workspace.ts";

let place: TestWorkspace;
beforeAll(async () => {
  place = await createWorkspace();
});
afterAll(() => place.remove());

const serve = (env: Readonly<Record<string, string>>, ...args: string[]) =>
  callCli(["serve", "--port", "0", "--log-level", "silent", ...args], { cwd: place.folder, env });
const token = { FOUNDRY_TOKEN: "a-long-secret-0123456789" };
const tokenless =
  "Set FOUNDRY_TOKEN to a long secret, and name with --allowed-hosts the hosts that it is called by; or listen on 127.0.0.1 and leave --allowed-hosts out.";

describe("serve does not start", () => {
  it.each([
    {
      title: "on an address of others without a token",
      env: {},
      args: ["--host", "0.0.0.0"],
      error: 'Cannot listen on "0.0.0.0", which others can reach, without FOUNDRY_TOKEN and allowed_hosts',
      remediation: tokenless,
      details: { field: "host", received: "0.0.0.0" },
    },
    {
      title: "with further host names and no token",
      env: { FOUNDRY_ALLOWED_HOSTS: "evil.example" },
      args: [],
      error:
        'Cannot create a server over HTTP: allowed_hosts[0] "evil.example" needs FOUNDRY_TOKEN: a server without FOUNDRY_TOKEN serves this machine only',
      remediation: tokenless,
      details: { field: "allowed_hosts", received: ["evil.example"] },
    },
    {
      title: "with a host name that no request could have",
      env: token,
      args: ["--allowed-hosts", "https://harbour.example"],
      error:
        'Cannot create a server over HTTP: allowed_hosts[0] "https://harbour.example" is no host name, so it would match nothing',
      remediation: 'Write "harbour.example": no scheme, port, path or *.',
      details: { field: "allowed_hosts", received: ["https://harbour.example"] },
    },
    {
      title: "with a token that is too short, which is not quoted",
      env: { FOUNDRY_TOKEN: "short" },
      args: [],
      error: "Cannot create a server over HTTP: FOUNDRY_TOKEN is shorter than 16 characters",
      remediation: "Take a longer one: openssl rand -hex 32",
      details: { field: "FOUNDRY_TOKEN" },
    },
  ])("$title", async ({ env, args, error, remediation, details }) => {
    const answer = await serve(env as Record<string, string>, ...args);
    expect([answer.error, answer.data]).toEqual([
      error,
      { error_code: "VALIDATION_ERROR", error_type: "validation", remediation, details },
    ]);
  });
});

/** Listens on any free port, like a program that is not part of Foundry. */
async function takePort(): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  onTestFinished(() => void server.close());
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { readonly port: number }).port)),
  );
}

const listenerOf = (pid: number | undefined, program: string) =>
  process.platform === "linux" ? { pid, program: expect.stringContaining(program) } : {};

describe("serve on a taken port", () => {
  it("says which program listens there, and its command with a free port works", async () => {
    const port = await takePort();
    const argv = ["serve", "--tools", "spec,task", "--port", String(port), "--log-level", "silent"];
    const { error, data } = await callCli(argv, { cwd: place.folder });
    expect(error).toMatch(
      new RegExp(`^Cannot serve at 127\\.0\\.0\\.1:${port}: another program listens there`),
    );
    const { free_port: free } = data["details"] as { readonly free_port: number };
    expect(data).toEqual({
      error_code: "UNAVAILABLE",
      error_type: "unavailable",
      remediation: `Stop that program, or start this one on port ${free}, which is free.`,
      remedy: { command: `foundry-cli serve --tools spec,task --log-level silent --port ${free}` },
      details: {
        field: "port",
        received: port,
        free_port: free,
        listener: { is_foundry: false, ...listenerOf(process.pid, "node") },
      },
    });
    const words = (data["remedy"] as { readonly command: string }).command.split(" ").slice(2);
    const server = await openHttpServer(place.folder, words);
    expect(server.url).toBe(`http://127.0.0.1:${free}/mcp`);
    await server.close();
  });

  it("knows a server of Foundry, and repeats no password", async () => {
    const running = await openHttpServer(place.folder);
    const { port } = new URL(running.url);
    const argv = ["serve", "--port", port, "--search-url", "http://ann:hidden-word@127.0.0.1:9"];
    const answer = await callCli([...argv, "--log-level", "silent"], { cwd: place.folder });
    await running.close();
    expect(answer).toMatchObject({
      error: expect.stringMatching(/: a Foundry server listens there/),
      data: {
        remediation: expect.stringMatching(
          /^Use that server, stop it, or start this one on port \d+, which is free\.$/,
        ),
        details: { listener: { is_foundry: true, ...listenerOf(running.child.pid, "node foundry-cli.cjs") } },
      },
    });
    expect(answer.data).not.toHaveProperty("remedy");
    expect(JSON.stringify(answer)).not.toContain("hidden-word");
  });

  it("says which of the two is wrong where the address is no address of this machine", async () => {
    const env = { ...token, FOUNDRY_ALLOWED_HOSTS: "harbour.example" };
    const { error, data } = await serve(env, "--host", "192.0.2.1");
    expect([error, data["remediation"], data["details"]]).toEqual([
      "Cannot serve at 192.0.2.1:0: this machine has no such address",
      "Name an address of this machine with --host, such as 127.0.0.1.",
      { field: "host", received: "192.0.2.1" },
    ]);
  });
});

describe.skipIf(!hasTerminal)("serve on a terminal", () => {
  const env = () => ({ ...plainEnv(place.folder), TERM: "xterm", NO_COLOR: "1" });
  const open = (...args: readonly string[]) =>
    openTerminal([process.execPath, foundryCli, "serve", ...args], { cwd: place.folder, env: env() });

  it("logs lines for people, without control bytes of callers", async () => {
    const terminal = open("--port", "0", "--tools", "all");
    await terminal.until("claude mcp add");
    const [, url = ""] = /MCP at (\S+)\/mcp/.exec(terminal.text) ?? [];
    await fetch(`${url}/api/tools/task`, {
      method: "POST",
      headers: { "user-agent": "ann\u009b31m" },
      body: '{"action": "next", "spec_id": "nothing"}',
    });
    await terminal.until("SPEC_NOT_FOUND");
    terminal.press("\u0003");
    expect(await terminal.ended).toBe(0);
    const time = "\\d\\d:\\d\\d:\\d\\d";
    expect(terminal.text.replace("^C", "").split("\n")).toEqual([
      expect.stringMatching(new RegExp(`^${time} info  listening url=${url}$`)),
      `The page is at ${url}/`,
      `Foundry serves MCP at ${url}/mcp`,
      `  claude mcp add --transport http foundry-mcp ${url}/mcp`,
      expect.stringMatching(
        new RegExp(`^${time} warn  tools/call tool=task action=next error_code=SPEC_NOT_FOUND$`),
      ),
      expect.stringMatching(/^ {15}client=ann\\x9b31m duration_ms=[\d.]+ spec_id=nothing$/),
      expect.stringMatching(new RegExp(`^${time} info  stopped url=${url}$`)),
      "",
    ]);
  });

  it("says how to use another port", async () => {
    const port = await takePort();
    const terminal = open("--port", String(port));
    expect(await terminal.ended).toBe(1);
    const shown = terminal.text;
    expect(shown).toMatch(/^error: Cannot serve at 127\.0\.0\.1:\d+: another program listens there/);
    expect(shown).toMatch(
      /\nStop that program, or start this one on port (\d+), which is free\.\ntry: foundry-cli serve --port \1\n$/,
    );
  });
});
