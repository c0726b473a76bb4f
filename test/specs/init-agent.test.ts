import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { parse } from "smol-toml";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callCli, openStdioServer, serverScript } from "./programs.ts";

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "init-agent-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

// Without the programs on the PATH, the configuration names the file of the server.
const env = { PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) };
const init = (...argv: readonly string[]) => callCli(["init", "--no-sample", ...argv], { cwd: folder, env });
const read = (path: string) => readFile(join(folder, path), "utf8");
const folders = [
  ...["specs/pending", "specs/active", "specs/completed", "specs/archived"],
  "specs/.foundry/.gitignore",
];
const server = { command: "node", args: [serverScript] };

const clients = [
  {
    agent: "claude",
    config: ".mcp.json",
    page: ".claude/skills/foundry/SKILL.md",
    key: "mcpServers",
    entry: server,
  },
  { agent: "cursor", config: ".cursor/mcp.json", page: "AGENTS.md", key: "mcpServers", entry: server },
  {
    agent: "vscode",
    config: ".vscode/mcp.json",
    page: "AGENTS.md",
    key: "servers",
    entry: { type: "stdio", ...server },
  },
  { agent: "codex", config: ".codex/config.toml", page: "AGENTS.md", key: "mcp_servers", entry: server },
  { agent: "gemini", config: ".gemini/settings.json", page: "GEMINI.md", key: "mcpServers", entry: server },
] as const;

describe.each(clients)("init --agent $agent", ({ agent, config, page, key, entry }) => {
  const parseConfig = (text: string): unknown => (config.endsWith(".toml") ? parse(text) : JSON.parse(text));

  it("writes the configuration and the page, and keeps them when it is repeated", async () => {
    expect((await init("--agent", agent)).data).toMatchObject({
      created: [...folders, config, page],
      changed: [],
      kept: [],
    });
    expect(parseConfig(await read(config))).toEqual({ [key]: { "foundry-mcp": entry } });
    expect((await read(page)).split("\n").length).toBeLessThanOrEqual(60);
    const texts = [await read(config), await read(page)];
    expect((await init("--agent", agent)).data).toMatchObject({
      created: [],
      changed: [],
      kept: [...folders, config, page],
    });
    expect([await read(config), await read(page)]).toEqual(texts);
  });

  it("adds to a configuration that has other servers", async () => {
    const isToml = config.endsWith(".toml");
    const text = isToml
      ? '# mine\nmodel = "o4"\n\n[mcp_servers.other]\ncommand = "other"'
      : `{ "${key}": { "other": { "command": "other" } } }`;
    await mkdir(join(folder, config, ".."), { recursive: true });
    await writeFile(join(folder, config), text);
    expect((await init("--agent", agent)).data).toMatchObject({ changed: [config] });
    const after = await read(config);
    expect(parseConfig(after)).toEqual({
      ...(isToml ? { model: "o4" } : {}),
      [key]: { other: { command: "other" }, "foundry-mcp": entry },
    });
    if (isToml) expect(after.startsWith(text)).toBe(true);
  });

  it("shows what it would overwrite, and overwrites it with --yes", async () => {
    await init("--agent", agent);
    const own = await read(page);
    const edited = own.replace("## The loop", "## Our loop");
    await writeFile(join(folder, page), edited);
    expect(await init("--agent", agent)).toMatchObject({
      success: false,
      data: {
        error_code: "CONFLICT",
        remedy: { command: `foundry-cli init --agent ${agent} --yes` },
        would_overwrite: [{ path: page, removed: ["## Our loop"], added: ["## The loop"] }],
      },
    });
    expect(await read(page)).toBe(edited);
    expect((await init("--agent", agent, "--yes")).data).toMatchObject({ changed: [page] });
    expect(await read(page)).toBe(own);
  });
});

describe("the page in a file that others write in", () => {
  it("leaves their bytes as they are", async () => {
    const before = Buffer.from("# Ours\r\n\xff no newline at the end", "latin1");
    await writeFile(join(folder, "AGENTS.md"), before);
    expect((await init("--agent", "codex")).data).toMatchObject({ changed: ["AGENTS.md"] });
    const after = await readFile(join(folder, "AGENTS.md"));
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expect(after.subarray(before.length).toString()).toMatch(
      /^\n\n<!-- foundry-mcp:start -->\n# Specs and tasks\n/,
    );
  });

  it("is not written through a link that leads out, nor is anything else", async () => {
    const outside = await realpath(await mkdtemp(join(tmpdir(), "outside-")));
    try {
      await writeFile(join(outside, "profile"), "mine");
      await symlink(join(outside, "profile"), join(folder, "AGENTS.md"));
      expect(await init("--agent", "cursor")).toMatchObject({ success: false });
      expect(await readFile(join(outside, "profile"), "utf8")).toBe("mine");
      expect(await readdir(folder)).toEqual(["AGENTS.md"]);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it("refuses a configuration that is no TOML, with the place", async () => {
    await mkdir(join(folder, ".codex"));
    await writeFile(join(folder, ".codex/config.toml"), "a = 1\nb = = 2\n");
    expect(await init("--agent", "codex")).toMatchObject({
      success: false,
      error: 'Cannot read ".codex/config.toml": line 2, column 5 is no TOML',
      data: { error_code: "INVALID_FORMAT" },
    });
  });
});

it("every call on the page exists, with the parameters that it names", async () => {
  await init("--agent", "gemini");
  const page = await read("GEMINI.md");
  const calls = [...page.matchAll(/(\w+)\(action="([\w-]+)"([^)]*)\)/g)];
  expect(calls.length).toBeGreaterThanOrEqual(10);
  const connection = await openStdioServer(folder, []);
  try {
    for (const [call, tool, action, rest = ""] of calls) {
      const schema = await connection.callTool("server", { action: "schema", tool, for_action: action });
      expect(schema.success, call).toBe(true);
      const text = JSON.stringify(schema.data);
      for (const [, name] of rest.matchAll(/(\w+)=/g)) expect(text, call).toContain(`"${name}"`);
    }
  } finally {
    await connection.close();
  }
});

it("warns about a Python server under another name", async () => {
  const entry = { command: "/venv/bin/python", args: ["-m", "foundry_mcp"] };
  await writeFile(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: { foundry: entry } }));
  const { data, meta } = await init("--agent", "claude");
  expect([data["changed"], meta.warnings]).toEqual([
    [".mcp.json"],
    [
      expect.stringMatching(
        /^\.mcp\.json starts the Python server with \/venv\/bin\/python -m foundry_mcp: /,
      ),
    ],
  ]);
  expect(JSON.parse(await read(".mcp.json"))).toEqual({
    mcpServers: { foundry: entry, "foundry-mcp": server },
  });
});

it("warns about a configuration that starts the Python server, and doctor fails", async () => {
  const entry = { command: "uvx", args: ["foundry-mcp"] };
  await writeFile(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: { "foundry-mcp": entry } }));
  await writeFile(join(folder, "foundry-mcp.toml"), "[workspace]\n");
  const message = `.mcp.json starts the Python server with uvx foundry-mcp: replace it with command "node" and args ["${serverScript}", "--tools", "reference"]`;
  const settings = "foundry-mcp.toml is not read: settings are in foundry.toml";
  const { data, meta } = await init("--agent", "claude");
  expect([data["kept"], meta.warnings]).toEqual([[".mcp.json"], [settings, message]]);
  expect(JSON.parse(await read(".mcp.json"))).toEqual({ mcpServers: { "foundry-mcp": entry } });
  const doctor = await callCli(["doctor"], { cwd: folder, env });
  expect([doctor.success, (doctor.data["checks"] as object[]).slice(-2)]).toEqual([
    false,
    [
      { name: "settings of the Python server", ok: true, message: settings },
      { name: "client", ok: false, message },
    ],
  ]);
});
