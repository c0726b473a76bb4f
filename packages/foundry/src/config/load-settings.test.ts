import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ContractError, isContractError } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadSettings } from "./load-settings.ts";
import { settingNames } from "./settings.ts";

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
      search_url: undefined,
      log_level: "info",
      allowed_hosts: undefined,
      host: "127.0.0.1",
      port: 3_117,
    });
    expect(origins).toEqual(Object.fromEntries(settingNames.map((name) => [name, "default"])));
    expect(files).toEqual([]);
  });

  it("prefers options to the environment, the workspace and the user's file", async () => {
    await workspace('port = 3\nhost = "three"\ntier = "pro"\n');
    await user('port = 4\nhost = "four"\nmax_tokens = 4\n');
    const { values, origins } = await load({ port: "1" }, { FOUNDRY_PORT: "2", FOUNDRY_HOST: "two" });
    expect([values.port, values.host, values.tier, values.max_tokens]).toEqual([1, "two", "pro", 4]);
    expect([origins.port, origins.host, origins.tier, origins.max_tokens]).toEqual([
      "--port",
      "FOUNDRY_HOST",
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

  it("refuses an unknown key and suggests the nearest", async () => {
    await workspace('spec_dir = "x"\n');
    const { code, options, message } = await refusal(load());
    expect(code).toBe("VALIDATION_ERROR");
    expect(message).toBe(
      `Cannot use ${join(folder, "work", "foundry.toml")}: it sets spec_dir, which is no setting`,
    );
    expect(options.remediation).toMatch(/^Did you mean specs_dir\?/);
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

  it("does not let a workspace set user-only settings", async () => {
    await workspace('verify_programs = ["make"]\n');
    const { code, message, options } = await refusal(load());
    expect([code, message.replace(/.*Cannot/, "Cannot").replaceAll(folder, "")]).toEqual([
      "VALIDATION_ERROR",
      "Cannot use /work/foundry.toml: it sets verify_programs, which a workspace may not decide",
    ]);
    expect(options.remediation).toBe(
      "Take verify_programs out of it; set it in your own foundry.toml, with FOUNDRY_VERIFY_PROGRAMS, or with --verify-programs.",
    );
    await workspace("");
    await user('verify_programs = ["make"]\n');
    expect((await load()).values.verify_programs).toEqual(["make"]);
    expect((await load({}, { FOUNDRY_VERIFY_PROGRAMS: "npm,node" })).values.verify_programs).toEqual([
      "npm",
      "node",
    ]);
  });

  it("uses a valid DATABASE_URL where nothing else sets the store", async () => {
    const url = "postgres://me@db/team";
    const implied = await load({}, { DATABASE_URL: url });
    expect([implied.values.store, implied.origins.store]).toEqual([url, "DATABASE_URL"]);
    const said = await load({}, { DATABASE_URL: url, FOUNDRY_STORE: "file" });
    expect([said.values.store, said.origins.store]).toEqual(["file", "FOUNDRY_STORE"]);
    await user('store = "file"\n');
    expect((await load({}, { DATABASE_URL: url })).values.store).toBe("file");
    await user("");
    for (const other of ["mysql://me@db/team", "", "file"])
      expect((await load({}, { DATABASE_URL: other })).values.store, other).toBe("file");
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
    await workspace('store = "postgres://me:secret@db/team"\n');
    const refused = await refusal(load());
    expect(JSON.stringify([refused.message, refused.options])).not.toContain("secret");
  });
});
