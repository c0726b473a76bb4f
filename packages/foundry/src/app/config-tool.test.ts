import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRegistry } from "@foundry-mcp/toolkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadSettings } from "../config/load-settings.ts";
import { settings } from "../config/settings.ts";
import { createConfigTool } from "./config-tool.ts";

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "config-tool-"));
  path = join(home, "foundry/foundry.toml");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function open({ isInteractive = true, edit = (_file: string) => {} } = {}) {
  const env = { XDG_CONFIG_HOME: home, EDITOR: "ed" };
  const cwd = home;
  const tool = createConfigTool(
    { load: () => loadSettings({ env, cwd }), cwd },
    {
      isInteractive,
      env,
      run: async (argv) => {
        edit(argv.at(-1) ?? "");
        return 0;
      },
    },
  );
  const registry = createRegistry({ name: "test", version: "1.0.0", tools: [tool] });
  return (action: string, args: object = {}) => registry.call("config", { action, ...args });
}

function write(text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe("config", () => {
  it("unsets a setting, and leaves everything else as it is", async () => {
    write('# mine\nport = 8080 # the old one\ntools = "all"\n');
    const call = open();
    expect((await call("unset", { name: "port" })).data).toEqual({
      name: "port",
      value: settings.port.default,
      from: "default",
      about: settings.port.about,
      path,
    });
    expect(readFileSync(path, "utf8")).toBe('# mine\ntools = "all"\n');
    expect((await call("unset", { name: "port" })).success).toBe(true);
    await call("unset", { name: "tools" });
    expect(readFileSync(path, "utf8")).toBe("# mine\n");
  });

  it("sets, gets and lists, in a file that only its user can read", async () => {
    const call = open();
    expect((await call("path")).data).toEqual({ path, folder: dirname(path), exists: false });
    expect((await call("set", { name: "port", value: "8080" })).data).toEqual({
      name: "port",
      value: 8080,
      path,
      applies_to: "all your projects",
    });
    await call("set", { name: "verify-programs", value: "npm,node" });
    expect(readFileSync(path, "utf8")).toBe('port = 8080\nverify_programs = [ "npm", "node" ]\n');
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect((await call("get", { name: "port" })).data).toMatchObject({
      name: "port",
      value: 8080,
      from: path,
    });
    await call("set", { name: "verify-programs", value: '["npm", "node"]' });
    expect(readFileSync(path, "utf8")).toBe('port = 8080\nverify_programs = [ "npm", "node" ]\n');
    const { settings } = (await call("list")).data as { settings: { name: string; value: unknown }[] };
    expect(settings.find(({ name }) => name === "verify_programs")?.value).toEqual(["npm", "node"]);
  });

  it("keeps comments, order, links and tables, and takes a path from where it was typed", async () => {
    write('# mine\nport = 1 # why\n\n[[tokens]]\nprincipal = "ann"\ntoken = "secret"\n');
    const linked = join(home, "dotfiles.toml");
    writeFileSync(linked, readFileSync(path));
    rmSync(path);
    symlinkSync(linked, path);
    const call = open();
    await call("set", { name: "port", value: "2" });
    await call("set", { name: "archive_dir", value: "archive" });
    expect(readFileSync(linked, "utf8")).toBe(
      `# mine\nport = 2 # why\narchive_dir = "${join(home, "archive")}"\n\n[[tokens]]\nprincipal = "ann"\ntoken = "secret"\n`,
    );
    expect(JSON.stringify((await call("list")).data)).not.toContain("secret");
  });

  it.each([
    ["an unknown setting", { name: "prot", value: "1" }, "name"],
    ["a value of the wrong kind", { name: "port", value: "many" }, "port"],
    ["a value out of bounds", { name: "port", value: "99999" }, "port"],
    ["more than one value", { name: "tokens", value: "x" }, "name"],
  ])("refuses %s, and writes nothing", async (_name, args, field) => {
    write("# mine\n");
    const { data } = await open()("set", args);
    expect([data["error_code"], (data["details"] as { field: string }).field]).toEqual([
      "VALIDATION_ERROR",
      field,
    ]);
    expect(readFileSync(path, "utf8")).toBe("# mine\n");
  });

  it("writes nothing into a file that is no TOML", async () => {
    write("port = = 1\n");
    expect((await open()("set", { name: "port", value: "2" })).data["error_code"]).toBe("INVALID_FORMAT");
    expect(readFileSync(path, "utf8")).toBe("port = = 1\n");
  });

  it("leaves alone what is written in an unusual way, and names the editor", async () => {
    write('"po\\u0072t" = 1\n');
    const { data } = await open()("set", { name: "port", value: "2" });
    expect([data["error_code"], data["remedy"]]).toEqual([
      "INVALID_STATE",
      { tool: "config", action: "edit" },
    ]);
  });

  it("opens the file in an editor, and checks it", async () => {
    const good = open({ edit: (file) => writeFileSync(file, "port = 3\n") });
    expect((await good("edit")).data).toEqual({ path, settings: ["port"] });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const bad = open({ edit: (file) => writeFileSync(file, "prot = 3\n") });
    expect((await bad("edit")).data["error_code"]).toBe("VALIDATION_ERROR");
    expect((await good("edit", { file: "workspace" })).data["remedy"]).toEqual({
      tool: "config",
      action: "edit",
    });
    await good("edit");
    const workspaceFile = join(home, "foundry.toml");
    writeFileSync(workspaceFile, "output =\n");
    const fix = open({ edit: (file) => writeFileSync(file, 'output = "json"\n') });
    expect((await fix("edit", { file: "workspace" })).data).toEqual({
      path: workspaceFile,
      settings: ["output"],
    });
    const noTerminal = open({ isInteractive: false });
    expect((await noTerminal("edit")).error).toContain("an editor needs a terminal");
  });
});
