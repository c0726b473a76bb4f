import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { type ContractError, isContractError } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadSettings } from "./load-settings.ts";
import { toSettingWarning } from "./refused-setting.ts";
import { commandSettings, maySet, settingNames, settings, toPrintable } from "./settings.ts";
import { UsedSettings } from "./used-settings.ts";

let folder: string;
let home: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "foundry-settings-"));
  home = join(folder, "home");
  await mkdir(join(home, "foundry"), { recursive: true });
  await mkdir(join(folder, "work", "deep"), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const load = (flags: object = {}, env: Record<string, string> = {}) =>
  loadSettings({ options: flags, env: { XDG_CONFIG_HOME: home, ...env }, cwd: join(folder, "work", "deep") });
const workspace = (text: string) => writeFile(join(folder, "work", "foundry.toml"), text);
const user = (text: string) => writeFile(join(home, "foundry", "foundry.toml"), text);

async function refusal(work: Promise<unknown>): Promise<ContractError> {
  const thrown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isContractError(thrown)) throw new Error(`no ContractError: ${String(thrown)}`);
  return thrown;
}

describe("loadSettings", () => {
  it("has a default for every setting, and reports the origin", async () => {
    const { values, origins, files } = await load();
    expect(values).toEqual({
      specs_dir: undefined,
      store: "file",
      workspace: "default",
      store_pool: 8,
      store_timeout: 15,
      rate_limit: 0,
      tools: "core",
      dialect: "response-v2",
      tier: "community",
      max_tokens: 20_000,
      archive_dir: undefined,
      flags_file: undefined,
      history: 50,
      verify_programs: [],
      model: undefined,
      model_base_url: "https://api.openai.com/v1",
      model_timeout: 60,
      research_dir: undefined,
      jobs_dir: undefined,
      search_url: undefined,
      log_level: "info",
      allowed_hosts: undefined,
      tokens: [],
      metrics: true,
      host: "127.0.0.1",
      port: 3_117,
      output: "auto",
    });
    expect(origins).toEqual(Object.fromEntries(settingNames.map((name) => [name, "default"])));
    expect(files).toEqual([]);
  });

  it("prefers options to the environment, the workspace and the user's file", async () => {
    await workspace('history = 3\ntools = "all"\ndialect = "envelope-v1"\n');
    await user('history = 4\ntools = "core"\ndialect = "response-v1"\nmax_tokens = 4\n');
    const { values, origins } = await load(
      { history: "1" },
      { FOUNDRY_HISTORY: "2", FOUNDRY_TOOLS: "journal" },
    );
    expect([values.history, values.tools, values.dialect, values.max_tokens]).toEqual([
      1,
      ["journal"],
      "envelope-v1",
      4,
    ]);
    expect([origins.history, origins.tools, origins.dialect, origins.max_tokens]).toEqual([
      "--history",
      "FOUNDRY_TOOLS",
      join(folder, "work", "foundry.toml"),
      join(home, "foundry", "foundry.toml"),
    ]);
  });

  it("resolves paths relative to the file that sets them", async () => {
    await workspace('specs_dir = "plans"\n');
    expect((await load()).values.specs_dir).toBe(join(folder, "work", "plans"));
    expect((await load({ specs_dir: "plans" })).values.specs_dir).toBe(join(folder, "work", "deep", "plans"));
  });

  it.each([
    ["spec,task", ["spec", "task"]],
    ["journal", ["journal"]],
    ["all", "all"],
  ])("reads %s as tools", async (text, tools) => {
    expect((await load({}, { FOUNDRY_TOOLS: text })).values.tools).toEqual(tools);
  });

  it.each([
    ["tools", "referense", "reference"],
    ["tools", "spek", "spec"],
    ["output", "humn", "human"],
    ["log_level", "eror", "error"],
  ] as const)("of %s suggests the nearest of the words that it takes", async (name, written, meant) => {
    const { options } = await refusal(load({ [name]: written }));
    expect(options.remediation).toMatch(new RegExp(`^Did you mean ${meant}\\? Correct ${name} in `));
  });

  it("refuses an unknown key and suggests the nearest", async () => {
    await workspace('spec_dir = "x"\n');
    const { code, options, message } = await refusal(load());
    expect(code).toBe("VALIDATION_ERROR");
    expect(message).toBe(
      `Cannot use ${join(folder, "work", "foundry.toml")}: it sets spec_dir, which is not a setting`,
    );
    expect(options.remediation).toMatch(/^Did you mean specs_dir\? .*Correct the file: \{1\}\.$/);
    expect(options.remedy).toEqual({ command: "foundry-cli config edit workspace" });
  });

  it.each([
    [{ port: "many" }, {}, "port", "--port"],
    [{}, { FOUNDRY_PORT: "70000" }, "port", "FOUNDRY_PORT"],
    [{}, { FOUNDRY_TIER: "gold" }, "tier", "FOUNDRY_TIER"],
    [{}, { FOUNDRY_TOOLS: "spec,tsk" }, "tools", "FOUNDRY_TOOLS"],
  ])("refuses an invalid value (case %#)", async (flags, env, field, origin) => {
    const { options, message } = await refusal(load(flags, env));
    expect(options.details).toMatchObject({ field });
    expect(message).toContain(`the setting ${field} of ${origin}`);
  });

  it("names line and column of invalid TOML", async () => {
    await workspace("port = 1\nhost = \n");
    const { code, options } = await refusal(load());
    expect([code, options.details]).toEqual(["INVALID_FORMAT", expect.objectContaining({ line: 2 })]);
  });

  it("does not use a DATABASE_URL: it selects nothing", async () => {
    const { values, origins } = await load({}, { DATABASE_URL: "postgres://me@db/team" });
    expect([values.store, origins.store]).toEqual(["file", "default"]);
  });

  it("does not split a URL with commas", async () => {
    const url = "postgres://me:a,b@one,two/team";
    expect((await load({ store: url })).values.store).toBe(url);
    expect((await load({ workspace: "2026" })).values.workspace).toBe("2026");
  });

  it("prints no password of an invalid URL", async () => {
    const { message, options } = await refusal(load({ store: "postgre://me:secret@db" }));
    expect([message, options.details]).toEqual([
      "Cannot use the setting store of --store: it must be file, postgres, or postgres://user@host/database",
      expect.not.objectContaining({ received: expect.anything() }),
    ]);
  });

  it.each([
    ["the workspace", () => workspace, " workspace"],
    ["the user", () => user, ""],
  ])("names the place, the reason and the command for a file of %s", async (_, writer, which) => {
    const path = which === "" ? join(home, "foundry", "foundry.toml") : join(folder, "work", "foundry.toml");
    const remedy = { command: `foundry-cli config edit${which}` };
    const failure = async (text: string) => {
      await writer()(text);
      const { message, options } = await refusal(load());
      return [message, options.remediation, options.remedy];
    };
    expect(await failure("history = 3\nhistory = 4\n")).toEqual([
      `Cannot read ${path}: line 2, column 1 is no TOML: trying to redefine an already defined table or value`,
      "Fix line 2: {1}.",
      remedy,
    ]);
    expect(await failure('output = "yaml"\n')).toEqual([
      `Cannot use the setting output of ${path}: it must be one of auto, json, human`,
      `Correct output in ${path}: {1}. ${settings.output.about}.`,
      remedy,
    ]);
  });

  it("repeats no key that does not look like one", async () => {
    await workspace(`"${"k".repeat(500_000)}\\u001b[2J" = 1\n`);
    const { message, options } = await refusal(load());
    expect(message).toBe(
      `Cannot use ${join(folder, "work", "foundry.toml")}: it sets a key of 500004 characters, which is not a setting`,
    );
    expect(options.remediation).toBe(`Use one of: ${settingNames.join(", ")}. Correct the file: {1}.`);
  });

  it("takes the user's own file for no workspace's, though a command is run beside it", async () => {
    await user("port = 4\n");
    const cwd = join(home, "foundry");
    const { values, files, refused } = await loadSettings({ env: { XDG_CONFIG_HOME: home }, cwd });
    expect([values.port, files, refused]).toEqual([4, [join(cwd, "foundry.toml")], []]);
  });

  it.each(["", "config", "./config"])(
    "does not look for the user's file in XDG_CONFIG_HOME=%j",
    async (value) => {
      await mkdir(join(folder, "work", "deep", "config", "foundry"), { recursive: true });
      await writeFile(join(folder, "work", "deep", "config", "foundry", "foundry.toml"), "port = 4\n");
      vi.stubEnv("HOME", folder);
      try {
        const { values, userFile } = await load({}, { XDG_CONFIG_HOME: value });
        expect([values.port, userFile]).toEqual([3_117, join(folder, ".config", "foundry", "foundry.toml")]);
        vi.stubEnv("HOME", "");
        expect((await load({}, { XDG_CONFIG_HOME: value })).userFile).toBe(undefined);
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );
});

describe("the setting tokens", () => {
  const secret = "planted-secret-0123456789";

  it("is read from the user's file alone", async () => {
    await user(`[[tokens]]\ntoken = "${secret}"\nprincipal = "ann"\nrole = "author"\n`);
    const given = { FOUNDRY_TOKENS: "a,b" };
    const { values, origins } = await load({ tokens: "c,d" }, given);
    expect(values.tokens).toEqual([{ token: secret, principal: "ann", role: "author" }]);
    expect(origins.tokens).toBe(join(home, "foundry", "foundry.toml"));
    expect(toPrintable("tokens", values.tokens)).toBe("1 tokens");
  });

  it.each([`tokens = "${secret}"`, `tokens = ["${secret}"]`, `[tokens]\ntoken = "${secret}"`])(
    "is refused without the token where it is no list of tables: %#",
    async (text) => {
      await user(`${text}\n`);
      const { message, options } = await refusal(load());
      expect(message).toMatch(/^Cannot use the setting tokens of .*foundry\.toml: /);
      expect(JSON.stringify([message, options])).not.toContain(secret);
    },
  );

  it("is not quoted where its file is no TOML", async () => {
    await user(`[[tokens]]\ntoken = "${secret}\n`);
    const thrown = await refusal(load());
    expect(inspect(thrown, { depth: null })).not.toContain(secret);
  });
});

describe("the setting metrics", () => {
  it.each(["true", "false"])("takes %s in a variable, an option and a file", async (text) => {
    const expected = text === "true";
    expect((await load({}, { FOUNDRY_METRICS: text })).values.metrics).toBe(expected);
    expect((await load({ metrics: text })).values.metrics).toBe(expected);
    await user(`metrics = ${text}\n`);
    expect((await load()).values.metrics).toBe(expected);
    // If a setting takes a text, a text that looks like a boolean stays a text.
    expect((await load({ workspace: text })).values.workspace).toBe(text);
  });
});

describe("the settings file of a workspace", () => {
  const file = () => join(folder, "work", "foundry.toml");
  const own = () => join(home, "foundry", "foundry.toml");

  it.each([
    ["a folder", () => mkdir(file()), "it is a folder"],
    ["a named pipe", async () => void execFileSync("mkfifo", [file()]), "it is a named pipe"],
    ["a link to a device", () => symlink("/dev/zero", file()), "a link leads out of the folder"],
  ])("is refused, and not ignored, as %s", async (_, create, why) => {
    await writeFile(join(folder, "foundry.toml"), "history = 5\n");
    await create();
    const { code, message, remediation } = await refusal(load());
    expect([code, message]).toEqual(["INVALID_PATH", `Cannot read "foundry.toml": ${why}`]);
    expect(remediation).toMatch(/\w/);
  });

  it("may set what concerns its own specs, and nothing more", () => {
    const allowed = settingNames.filter((name) => maySet("workspace", name));
    expect(allowed).toEqual([
      "specs_dir",
      "tools",
      "dialect",
      "max_tokens",
      "flags_file",
      "history",
      "output",
    ]);
    for (const source of ["user", "environment", "option"] as const)
      expect(settingNames.filter((name) => !maySet(source, name))).toEqual([]);
  });

  it.each(settingNames.filter((name) => !maySet("workspace", name)))(
    "cannot set %s, whatever its value, and the warning names the right places",
    async (name) => {
      for (const value of ['"postgres://me:secret@db/team"', "4711", "true", "{ a = [1] }"]) {
        await workspace(`${name} = ${value}\n`);
        const { values, origins, refused } = await load();
        expect([values[name], origins[name]]).toEqual([settings[name].default, "default"]);
        const [warning, ...more] = refused.map(toSettingWarning);
        const everywhere = commandSettings.some((each) => each === name);
        const option = `--${name.replaceAll("_", "-")}${everywhere ? "" : " of foundry-mcp and foundry-cli serve"}`;
        const { env } = settings[name];
        const others = env === undefined ? "" : `, with ${env} or with ${option}`;
        expect([warning, more]).toEqual([
          {
            code: "SETTING_NOT_USED",
            severity: "warning",
            message: `Not used: ${file()} sets ${name}, which a workspace may not set. Set it in ${own()}${others}`,
            context: { setting: name, file: file() },
          },
          [],
        ]);
      }
    },
  );

  it("is warned of only where its value would have counted", async () => {
    await workspace('port = 1\nstore = "postgres"\nhost = "h"\n');
    await user("port = 2\n");
    const { values, refused } = await load({ store: "file" }, { FOUNDRY_HOST: "::1" });
    expect([values.port, values.store, values.host]).toEqual([2, "file", "::1"]);
    expect(refused.map(({ name }) => name)).toEqual(["port"]);
  });

  it.each(["specs_dir", "flags_file"] as const)("names a path inside its folder with %s", async (name) => {
    await mkdir(join(folder, "work", "plans"));
    await symlink("plans", join(folder, "work", "same"));
    for (const [value, path] of [
      ["plans", "plans"],
      ["./plans/../plans/", "plans"],
      ["new/folder", "new/folder"],
      ["..plans", "..plans"],
      ["same", "same"],
      [join(folder, "work", "plans"), "plans"],
      [".", "."],
    ] as const) {
      await workspace(`${name} = ${JSON.stringify(value)}\n`);
      expect((await load()).values[name], value).toBe(join(folder, "work", path));
    }
  });

  it.each(["specs_dir", "flags_file"] as const)("names no path outside its folder with %s", async (name) => {
    await mkdir(join(folder, "work2"));
    for (const [link, target] of [
      ["out", "/etc"],
      ["above", ".."],
      ["beside", "../work2"],
      ["dangling", "/nowhere/at/all"],
      ["loop", "loop"],
    ] as const)
      await symlink(target, join(folder, "work", link));
    for (const value of [
      "..",
      "../work2",
      "/etc",
      "/nonexistent/folder",
      "plans/../../work2",
      "out",
      "out/new",
      "above",
      "beside/specs",
      "dangling",
      "dangling/deeper",
      "loop",
      "nul\u0000",
    ]) {
      await workspace(`${name} = ${JSON.stringify(value)}\n`);
      const { code, message, options } = await refusal(load());
      expect([value, code, message]).toEqual([
        value,
        "INVALID_PATH",
        `Cannot use the setting ${name} of ${file()}: its path leads outside the folder of that file`,
      ]);
      const option =
        name === "specs_dir" ? "--specs-dir" : "--flags-file of foundry-mcp and foundry-cli serve";
      expect(options.remediation).toBe(
        `Remove ${name} from ${file()}, or set it yourself in ${own()}, with ${settings[name].env} or with ${option}.`,
      );
      const named = await load({ [name]: "/elsewhere" });
      expect(named.values[name]).toBe("/elsewhere");
    }
    await workspace("");
    await user(`${name} = "/anywhere"\n`);
    expect((await load()).values[name]).toBe("/anywhere");
  });

  it.each([
    ["arrays", (depth: number) => `tools = ${"[".repeat(depth)}${"]".repeat(depth)}`],
    ["tables", (depth: number) => `tools = ${"{a=".repeat(depth)}1${"}".repeat(depth)}`],
    ["unclosed arrays", (depth: number) => `tools = ${"[".repeat(depth)}`],
    ["dotted keys", (depth: number) => `tools${".a".repeat(depth)} = 1`],
    ["headers", (depth: number) => `[tools${".a".repeat(depth)}]`],
  ])("may nest %s as deep as it likes, and gets an answer", async (_name, nest) => {
    await workspace(`${nest(100_000)}\n`);
    const { code, options } = await refusal(load());
    expect(["VALIDATION_ERROR", "INVALID_FORMAT"]).toContain(code);
    expect(JSON.stringify(options.details).length).toBeLessThan(2_000);
  });

  it("has a limit of size, found out before it is read", async () => {
    await workspace("");
    await truncate(file(), 2 ** 40);
    const { code, message } = await refusal(load());
    expect([code, message]).toEqual([
      "CONTENT_TOO_LARGE",
      `Cannot read ${file()}: it has more than 1,048,576 bytes`,
    ]);
  });
});

describe("UsedSettings", () => {
  it("warns of the refused settings that were read, once each", async () => {
    await workspace('port = 1\nstore = "postgres"\n');
    const used = new UsedSettings();
    const { values } = used.watch(await load());
    expect(used.warnings).toEqual([]);
    expect([values.specs_dir, values.store, values.store]).toEqual([undefined, "file", "file"]);
    expect(used.warnings.map(({ context }) => context?.["setting"])).toEqual(["store"]);
  });
});
