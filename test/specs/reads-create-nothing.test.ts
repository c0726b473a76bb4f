import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Registry } from "@foundry-mcp/toolkit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCliRegistry } from "#built/foundry/app/create-cli-registry.js";
import { openServer } from "#built/foundry/app/open-server.js";
import { openWorkspace } from "#built/foundry/app/open-workspace.js";
import { loadSettings } from "#built/foundry/config/load-settings.js";
import { describeTree, readOnlyCalls } from "./read-only-calls.ts";
import { specOf } from "./workspace.ts";

let home: string;
let folder: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "reads-"));
  folder = join(home, "project");
  await mkdir(folder);
  // The user's caches may be created.
  vi.stubEnv("XDG_CACHE_HOME", join(home, "cache"));
  vi.stubEnv("XDG_CONFIG_HOME", join(home, "config"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

const makeSpecs = async (name: string) => {
  await mkdir(join(folder, name, "active"), { recursive: true });
  await writeFile(join(folder, name, "active", "one.json"), JSON.stringify(specOf("one")));
};

/** Each row: a name, the contents of the folder, and the options of the program. */
const places: Readonly<Record<string, { make(): Promise<void>; options: { specs_dir?: string } }>> = {
  "an empty folder": { make: async () => {}, options: {} },
  "a fresh workspace": { make: () => makeSpecs("specs"), options: {} },
  "a workspace with an empty specs folder": {
    make: async () => void (await mkdir(join(folder, "specs"))),
    options: {},
  },
  "a specs folder that does not exist": { make: async () => {}, options: { specs_dir: "missing" } },
  "a foundry.toml that names a folder that does not exist": {
    make: () => writeFile(join(folder, "foundry.toml"), 'specs_dir = "missing"\n'),
    options: {},
  },
};

function openCli(options: object) {
  const load = () => loadSettings({ options, env: process.env, cwd: folder });
  const workspace = openWorkspace(load, folder, { isOneShot: true });
  const registry = createCliRegistry({ load, cwd: folder, workspace });
  return { registry, close: () => workspace.close() };
}

/** Codes of failures that occur before a call reaches its handler. */
const refusals = ["MISSING_REQUIRED", "VALIDATION_ERROR", "INVALID_FORMAT", "INTERNAL_ERROR"];

/** Calls every read-only action, and expects that the folder does not change. */
async function callAll(registry: Registry, before: unknown): Promise<void> {
  const calls = readOnlyCalls(registry);
  expect(calls.length).toBeGreaterThan(15);
  for (const { tool, args } of calls) {
    const { data } = await registry.call(tool, args);
    expect(refusals, JSON.stringify([tool, args, data])).not.toContain(data["error_code"]);
    expect(await describeTree(folder), `${tool} ${args["action"]}`).toEqual(before);
  }
}

it("the rest of an answer over its budget creates no specs folder, and can be fetched all the same", async () => {
  const before = await describeTree(folder);
  const settings = { specs_dir: "missing", tools: "all", log_level: "silent", max_tokens: "400" };
  const { registry, close } = await openServer({ cwd: folder, settings });
  const { success, meta } = await registry.call("server", { action: "schema", tool: "spec" });
  const [archive_id] = Object.keys(meta.content_archive_hashes ?? {});
  expect([success, meta.content_fidelity === "full", archive_id]).toEqual([
    true,
    false,
    expect.stringMatching(/^arc_/),
  ]);
  const rest = await registry.call("content", { action: "stat", archive_id });
  expect([rest.success, rest.data["archive_id"]]).toEqual([true, archive_id]);
  await close();
  expect(await describeTree(folder)).toEqual(before);
});

describe.each(Object.entries(places))("in %s", (_name, { make, options }) => {
  it("no read-only command creates or changes anything", async () => {
    await make();
    const before = await describeTree(folder);
    const { registry, close } = openCli(options);
    await callAll(registry, before);
    await close();
    expect(await describeTree(folder)).toEqual(before);
  });

  it("no read-only call of a server creates or changes anything", async () => {
    await make();
    const before = await describeTree(folder);
    const server = await openServer({
      cwd: folder,
      settings: { ...options, tools: "all", log_level: "silent" },
    });
    await callAll(server.registry, before);
    await server.close();
    expect(await describeTree(folder)).toEqual(before);
  });
});
