import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCliRegistry } from "../app/create-cli-registry.ts";
import { openWorkspace } from "../app/open-workspace.ts";
import { completeIds, toIdCommands } from "./complete-ids.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "foundry-ids-"));
  for (const name of ["active", "completed"]) await mkdir(join(folder, "specs", name), { recursive: true });
  for (const path of ["active/tides", "active/cranes", "completed/tides-old"])
    await writeFile(join(folder, "specs", `${path}.json`), "{}");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const load = () => Promise.reject(new Error("No call is made."));
const registry = createCliRegistry({
  load,
  cwd: "/",
  workspace: openWorkspace(load, "/"),
  warnings: () => [],
});
const commands = toIdCommands(registry);

const complete = async (
  line: string,
  env: Readonly<Record<string, string>> = {},
  cwd = folder,
): Promise<readonly [boolean, string]> => {
  let written = "";
  const words = line.split(" ");
  const at = String(words.length - 1);
  const home = { XDG_CONFIG_HOME: join(folder, ".config") };
  const write = (text: string) => {
    written += text;
  };
  const isDone = await completeIds(["__complete", at, ...words], commands, {
    env: { ...home, ...env },
    cwd,
    write,
  });
  return [isDone, written];
};

describe("ids", () => {
  it("have the commands of the declarations", () => {
    expect(commands["specs get"]).toEqual({ names: ["spec_id"], isDestructive: false, action: "spec get" });
    expect(commands["tasks remove"]).toEqual({
      names: ["spec_id", "task_id"],
      isDestructive: true,
      action: "task remove",
    });
  });

  it.each<[string, boolean, string]>([
    ["foundry-cli specs get ", true, "cranes\ntides\ntides-old\n"],
    ["foundry-cli specs get t", true, "tides\ntides-old\n"],
    ["foundry-cli lifecycle activate cr", true, "cranes\n"],
    // All other words are left to the program.
    ["foundry-cli specs g", false, ""],
    ["foundry-cli specs get --s", false, ""],
    ["foundry-cli specs get tides ", false, ""],
    ["foundry-cli nothing such ", false, ""],
    ["foundry-cli --specs-dir x specs get ", false, ""],
  ])("%s", async (line, isDone, text) => {
    expect(await complete(line)).toEqual([isDone, text]);
  });

  it("are left to the program where settings may say where the specs are", async () => {
    const line = "foundry-cli specs get t";
    expect(await complete(line, { FOUNDRY_SPECS_DIR: "elsewhere" })).toEqual([false, ""]);
    expect(await complete(line, { FOUNDRY_SPEC: "tides" })).toEqual([true, "tides\ntides-old\n"]);
    const below = join(folder, "below");
    await mkdir(below);
    await writeFile(join(below, "foundry.toml"), "");
    expect(await complete(line, {}, below)).toEqual([false, ""]);
    expect(await complete(line, { XDG_CONFIG_HOME: await userSettings() })).toEqual([false, ""]);
    expect(await complete(line, {}, tmpdir())).toEqual([false, ""]);
  });
});

async function userSettings(): Promise<string> {
  const home = join(folder, "home");
  await mkdir(join(home, "foundry"), { recursive: true });
  await writeFile(join(home, "foundry", "foundry.toml"), "");
  return home;
}
