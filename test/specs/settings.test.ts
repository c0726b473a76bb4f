import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callCli, openStdioServer, runProgram, serverScript } from "./programs.ts";
import { filesBelow, specOf } from "./workspace.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "settings-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = async (name: string, text: string) => {
  await mkdir(join(folder, name, ".."), { recursive: true });
  await writeFile(join(folder, name), text);
  return join(folder, name);
};
const read = (name: string) => readFile(join(folder, name), "utf8");
const makeSpecs = () => mkdir(join(folder, "specs", "active"), { recursive: true });
const startServer = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  runProgram([process.execPath, serverScript, ...args], { cwd: folder, env });
// Without the programs on the PATH, a configuration of a client names the file of the server.
const env = { PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) };
const cli = (...argv: string[]) => callCli(argv, { cwd: folder, env });

describe("settings", () => {
  it("are those of flags, then the environment, the workspace, the user and the defaults", async () => {
    await makeSpecs();
    const own = await write(
      ".config/foundry/foundry.toml",
      'tier = "pro"\nhistory = 1\nport = 1\nmax_tokens = 1001\ntools = "core"\n',
    );
    const shared = await write(
      "foundry.toml",
      'history = 2\nport = 2\nmax_tokens = 1002\ntools = ["spec"]\n',
    );
    const env = { FOUNDRY_MAX_TOKENS: "3003", FOUNDRY_TOOLS: "journal" };
    const server = await openStdioServer(folder, ["--tools", "lifecycle,task"], env);
    const { data } = await server.callTool("server", { action: "context" });
    const names = (await server.listTools()).map(({ name }) => name);
    await server.close();
    expect(data["configuration"]).toMatchObject({
      tools: { value: ["lifecycle", "task"], from: "--tools" },
      max_tokens: { value: 3_003, from: "FOUNDRY_MAX_TOKENS" },
      history: { value: 2, from: shared },
      port: { value: 1, from: own },
      tier: { value: "pro", from: own },
      host: { value: "127.0.0.1", from: "default" },
      specs_dir: { value: null, from: "default" },
    });
    expect(data["specs_dir"]).toBe(join(folder, "specs"));
    expect(data["configuration_files"]).toEqual([shared, own]);
    expect(data["configuration_warnings"]).toEqual([
      `Not used: ${shared} sets port, which a workspace may not set. Set it in ${own}, with FOUNDRY_PORT or with --port of foundry-mcp and foundry-cli serve`,
    ]);
    expect(names.toSorted()).toEqual(["content", "lifecycle", "server", "task"]);
  });

  it("a path in a file is meant from where the file is; a flag from where one stands", async () => {
    await mkdir(join(folder, "plans", "active"), { recursive: true });
    await mkdir(join(folder, "deep", "down"), { recursive: true });
    await write("foundry.toml", 'specs_dir = "plans"\n');
    await write("plans/active/here.json", JSON.stringify(specOf("here")));
    const { data } = await callCli(["specs", "find"], { cwd: join(folder, "deep", "down") });
    expect(data).toMatchObject({ specs: [{ id: "here" }] });
    const flagged = await callCli(["specs", "find", "--specs-dir", "../plans"], {
      cwd: join(folder, "deep"),
    });
    expect(flagged.data).toEqual(data);
    const set = await callCli(["specs", "find"], { cwd: folder, env: { FOUNDRY_SPECS_DIR: "plans" } });
    expect(set.data).toEqual(data);
  });

  it("an unknown one is refused, with the nearest there is", async () => {
    await makeSpecs();
    const file = await write("foundry.toml", 'spec_dir = "specs"\n');
    const { code, stdout, stderr } = await startServer();
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`Cannot use ${file}: it sets spec_dir, which is not a setting`);
    expect(stderr).toContain("specs_dir");
    expect((await cli("specs", "find")).data).toMatchObject({
      error_code: "VALIDATION_ERROR",
      remediation: expect.stringContaining("specs_dir"),
      details: { field: "spec_dir" },
    });
  });

  it.each([
    ["a number out of range", "history = 999999\n", /history.*foundry\.toml/],
    ["a value of the wrong kind", "max_tokens = true\n", /max_tokens/],
    ["a word that is none of the words", 'dialect = "latin"\n', /dialect/],
    ["a tool that there is not", 'tools = ["spec", "tsk"]\n', /tools/],
    ["a line that is no TOML", 'tools = "core"\nport 3\n', /line 2/],
  ])("%s is refused by name", async (_what, text, says) => {
    await makeSpecs();
    await write("foundry.toml", text);
    const { code, stderr } = await startServer();
    expect(code).toBe(1);
    expect(stderr).toMatch(says);
    const { success, data } = await cli("specs", "find");
    expect([success, data["error_code"]]).toEqual([
      false,
      expect.stringMatching(/VALIDATION_ERROR|INVALID_FORMAT/),
    ]);
  });

  it("a variable or a flag of the wrong kind is refused by its name", async () => {
    await makeSpecs();
    expect(await startServer([], { FOUNDRY_TIER: "gold" })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("FOUNDRY_TIER"),
    });
    expect(await startServer(["--port", "many"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("--port"),
    });
  });
});

describe("a setting that a workspace may not set", () => {
  const hostile = [
    'host = "0.0.0.0"',
    "port = 99999",
    'allowed_hosts = ["evil.example"]',
    'store = "postgres://evil:secret@127.0.0.1:1/x"',
    'workspace = "theirs"',
    'archive_dir = "/tmp/theirs"',
    'verify_programs = ["*"]',
    'tier = "gold"',
    'model_base_url = "http://127.0.0.1:9/v1"',
  ];
  const notUsed = (name: string, option: string) =>
    `Not used: ${join(folder, "foundry.toml")} sets ${name}, which a workspace may not set. Set it in ${join(folder, ".config/foundry/foundry.toml")}, with FOUNDRY_${name.toUpperCase()} or with ${option}`;
  const hostileWorkspace = async () => {
    await makeSpecs();
    await write("specs/active/good.json", JSON.stringify(specOf("good")));
    await write("foundry.toml", `${hostile.join("\n")}\n`);
  };

  it("is a warning of the commands that it would have touched, and of no others", async () => {
    await hostileWorkspace();
    const found = await cli("specs", "find");
    expect([found.success, found.data["total_count"], found.meta.warnings]).toEqual([
      true,
      1,
      [notUsed("store", "--store")],
    ]);
    expect(found.meta.warning_details).toEqual([
      {
        code: "SETTING_NOT_USED",
        severity: "warning",
        message: notUsed("store", "--store"),
        context: { setting: "store", file: join(folder, "foundry.toml") },
      },
    ]);
    expect((await cli("content", "list")).meta.warnings).toEqual([
      notUsed("store", "--store"),
      notUsed("archive_dir", "--archive-dir of foundry-mcp and foundry-cli serve"),
    ]);
    expect((await cli("specs", "find", "--store", "file")).meta.warnings).toBe(undefined);
    expect((await cli("version")).meta.warnings).toBe(undefined);
  });

  it("is a warning of a command that fails, too", async () => {
    await write("foundry.toml", 'store = "postgres"\n');
    const { success, data, meta } = await cli("specs", "find");
    expect([success, data["error_code"], meta.warnings]).toEqual([
      false,
      "NOT_FOUND",
      [notUsed("store", "--store")],
    ]);
  });

  it("is told by doctor, which does not fail, and by the log of a server that starts", async () => {
    await hostileWorkspace();
    const { success, data } = await cli("doctor");
    const checks = data["checks"] as { name: string; ok: boolean; message: string }[];
    const messageOf = (name: string) => checks.find((each) => each.name === name);
    expect([success, messageOf("user settings")]).toEqual([
      true,
      {
        name: "user settings",
        ok: true,
        message: `${join(folder, ".config/foundry/foundry.toml")} (does not exist)`,
      },
    ]);
    const told = messageOf("workspace settings");
    expect(told?.ok).toBe(true);
    const { code, stderr } = await startServer();
    expect(code).toBe(0);
    const lines = stderr.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    for (const [name = ""] of hostile.map((line) => line.split(" "))) {
      expect(told?.message).toContain(notUsed(name, "--"));
      expect(lines).toContainEqual(
        expect.objectContaining({
          level: 40,
          setting: name,
          msg: expect.stringContaining(notUsed(name, "--")),
        }),
      );
    }
    expect(`${told?.message}${stderr}`).not.toContain("secret");
  });
});

describe("foundry-mcp", () => {
  it.each([[["--bogus"]], [["--tools"]]])("%j is a mistake: usage on stderr, exit 2", async (args) => {
    await makeSpecs();
    const { code, stdout, stderr } = await startServer(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^Cannot start: .*\n\nUsage: foundry-mcp \[options\]\n/);
    expect(stderr).toContain("--specs-dir");
  });

  it("logs the remedy where there are no specs, and serves until its input ends", async () => {
    const { code, stdout, stderr } = await startServer();
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("foundry-mcp init");
    expect((await cli("specs", "find")).data).toMatchObject({
      error_code: "NOT_FOUND",
      remediation: expect.stringContaining("foundry-cli init"),
    });
  });
});

describe("foundry-cli init", () => {
  it("makes a workspace that works, and a second time keeps it as it is", async () => {
    const { success, data } = await cli("init", "--yes");
    const [spec = ""] = (data["created"] as string[]).filter(
      (name) => name.endsWith(".json") && name !== ".mcp.json",
    );
    expect([success, data["kept"]]).toEqual([true, []]);
    expect(data["created"]).toEqual([
      "specs/pending",
      "specs/active",
      "specs/completed",
      "specs/archived",
      "specs/.foundry/.gitignore",
      spec,
      ".mcp.json",
    ]);
    expect(JSON.parse(await read(".mcp.json"))).toEqual({
      mcpServers: { "foundry-mcp": { command: "node", args: [serverScript] } },
    });
    const before = [await read(spec), await read(".mcp.json")];
    const again = await cli("init", "--yes");
    expect(again.data).toMatchObject({
      created: [],
      kept: [
        ...["specs/pending", "specs/active", "specs/completed", "specs/archived"],
        ...["specs/.foundry/.gitignore", ".mcp.json"],
      ],
    });
    expect([await read(spec), await read(".mcp.json")]).toEqual(before);
    const { data: list } = await cli("specs", "find");
    const [{ id }] = list["specs"] as [{ id: string }];
    expect((await cli("validate", "check", id, "--strict")).data).toMatchObject({ is_valid: true });
    expect((await cli("tasks", "next", id)).data).toMatchObject({ found: true, task_id: "task-1-1" });
  });

  it("adds its line to a file that has others, and leaves the rest as it stands", async () => {
    const text =
      '{\n    "mcpServers": {\n        "other": { "command": "x" }\n    },\n    "note": "caf\\u00e9"\n}';
    await write(".mcp.json", text);
    await cli("init", "--yes");
    const after = await read(".mcp.json");
    expect(JSON.parse(after)).toEqual({
      mcpServers: { other: { command: "x" }, "foundry-mcp": { command: "node", args: [serverScript] } },
      note: "caf\u00e9",
    });
    expect(after).toContain('        "other": { "command": "x" }');
    expect(after).toContain('"note": "caf\\u00e9"');
  });

  it.each([
    ["no JSON", '{ "mcpServers": {,} }'],
    ["no object", "[]"],
    ["no list of servers", '{ "mcpServers": "none" }'],
  ])("refuses a .mcp.json that holds %s, and makes nothing", async (_what, text) => {
    await write(".mcp.json", text);
    const { success, data, error } = await cli("init", "--yes");
    expect([success, data["error_code"]]).toEqual([false, "INVALID_FORMAT"]);
    expect(error).toContain(".mcp.json");
    expect(data["remediation"]).toContain(".mcp.json");
    expect(await read(".mcp.json")).toBe(text);
    expect(await filesBelow(folder)).toEqual([".mcp.json"]);
  });

  it("says so where a file is in the way of a folder", async () => {
    await write("specs", "not a folder");
    const { success, data } = await cli("init", "--yes");
    expect([success, data]).toMatchObject([false, { details: { path: "specs/pending" } }]);
    expect(data["error_code"]).not.toBe("INTERNAL_ERROR");
  });
});

describe("foundry-cli doctor", () => {
  const checksOf = async () => {
    const { success, data } = await cli("doctor");
    // A script detects the error by the exit code.
    expect(success).toBe(data["ok"]);
    const checks = data["checks"] as { name: string; ok: boolean; message: string }[];
    return {
      ok: data["ok"],
      ...Object.fromEntries(checks.map(({ name, ok, message }) => [name, [ok, message]])),
    };
  };

  it("finds nothing wrong with a new workspace", async () => {
    await cli("init", "--yes");
    expect(await checksOf()).toMatchObject({ ok: true, specs: [true, "1 can be read"] });
  });

  it("says that a newer version has written files, which this version does not change", async () => {
    await makeSpecs();
    await write("specs/.foundry/format.json", '{"format":9,"version":"0.9.0"}');
    expect(await checksOf()).toMatchObject({
      ok: false,
      "specs folder": [
        false,
        "Cannot change files in .foundry: foundry-mcp 0.9.0 wrote them in format 9, and this version knows 1. Nothing was changed. Update foundry-mcp here: an older version would damage these files.",
      ],
    });
  });

  it("names the files that are broken, and goes on", async () => {
    await makeSpecs();
    await write("specs/active/torn.json", '{"title": ');
    await write("specs/active/good.json", JSON.stringify(specOf("good")));
    expect(await checksOf()).toMatchObject({
      ok: false,
      settings: [true, expect.anything()],
      specs: [
        false,
        expect.stringMatching(
          /active\/torn\.json.*\. Correct the file, or roll it back to a stored revision: foundry-cli specs history torn$/,
        ),
      ],
    });
    await write("foundry.toml", "nothing = 1\n");
    expect(await checksOf()).toMatchObject({
      ok: false,
      settings: [false, expect.stringContaining("nothing, which is not a setting")],
    });
  });

  const long = "a-token-that-nobody-guesses";
  const grant = (lines: string) => `[[tokens]]\nprincipal = "ada"\n${lines}\n`;
  it.each([
    ["a role that does not exist", grant(`token = "${long}"\nrole = "autor"`), "tokens[0].role"],
    ["a tier that does not exist", grant(`token = "${long}"\ntier = "gold"`), "tokens[0].tier"],
    ["a short token", grant('token = "secret-7"'), "tokens[0].token is shorter than 16 characters"],
    ["no token", grant(""), "tokens[0] needs one of token and sha256"],
    ["a misspelt key", grant(`token = "${long}"\nrol = "author"`), "tokens[0].rol is an unknown key"],
    [
      "the same token twice",
      grant(`token = "${long}"`).repeat(2),
      "tokens[0] and tokens[1] are the same token",
    ],
  ])("judges [[tokens]] as serve does: %s", async (_, text, fault) => {
    await makeSpecs();
    const file = await write(".config/foundry/foundry.toml", text);
    const found = await checksOf();
    expect(found).toMatchObject({
      ok: false,
      settings: [true, expect.anything()],
      tokens: [false, expect.stringContaining(`Cannot use the setting tokens of ${file}: ${fault}`)],
    });
    expect(JSON.stringify(found)).not.toMatch(/nobody-guesses|secret-7/);
    const served = await cli("serve", "--port", "0");
    expect(served.error).toContain(fault);
  });

  it("judges FOUNDRY_TOKEN beside [[tokens]]", async () => {
    await makeSpecs();
    await write(".config/foundry/foundry.toml", grant(`token = "${long}"\nrole = "author"`));
    expect(await checksOf()).toMatchObject({ ok: true, tokens: [true, "1 for serve"] });
    const messageOf = async (token: string) => {
      const { data } = await callCli(["doctor"], { cwd: folder, env: { FOUNDRY_TOKEN: token } });
      const checks = data["checks"] as { name: string; message: string }[];
      return checks.find(({ name }) => name === "tokens")?.message;
    };
    expect(await messageOf("another-token-of-an-operator")).toBe("2 for serve");
    expect(await messageOf("short-7")).toMatch(/FOUNDRY_TOKEN is shorter than 16 characters/);
    expect(await messageOf(long)).toMatch(/tokens\[0\] and FOUNDRY_TOKEN are the same token/);
  });

  it("says what to do where there is no workspace", async () => {
    expect(await checksOf()).toMatchObject({
      ok: false,
      "specs folder": [false, expect.stringContaining("foundry-cli init")],
    });
  });
});
