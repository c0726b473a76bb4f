import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toArgv } from "@foundry-mcp/toolkit/cli";
import { type Connection, connect } from "@foundry-mcp/toolkit/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCliRegistry } from "#built/foundry/app/create-cli-registry.js";
import { openServer } from "#built/foundry/app/open-server.js";
import { openWorkspace } from "#built/foundry/app/open-workspace.js";
import { callCli, openHttpServer, openStdioServer } from "./programs.ts";
import { describeTree, readOnlyCalls } from "./read-only-calls.ts";
import { specOf } from "./workspace.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "reads-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const makeSpecs = async () => {
  await mkdir(join(folder, "specs", "active"), { recursive: true });
  await writeFile(join(folder, "specs", "active", "one.json"), JSON.stringify(specOf("one")));
};

/** The registry is only used to read declarations, so this function is never called. */
const unused = (): never => {
  throw new Error("Nothing is called here");
};
const cliRegistry = createCliRegistry({ load: unused, cwd: ".", workspace: openWorkspace(unused, ".") });

describe("foundry-cli", () => {
  it.each([
    ["an empty folder", async () => {}, []],
    ["a fresh workspace", makeSpecs, []],
    ["a specs folder that does not exist", async () => {}, ["--specs-dir", "missing"]],
  ])("creates nothing in %s, whatever is read", async (_name, make, options) => {
    await make();
    const before = await describeTree(folder);
    const calls = readOnlyCalls(cliRegistry).filter(({ tool }) => tool !== "server");
    expect(calls.length).toBeGreaterThan(25);
    for (const { tool, args } of calls) {
      const argv = [...toArgv(cliRegistry, tool, args), ...options];
      const { data } = await callCli(argv, { cwd: folder });
      expect(["MISSING_REQUIRED", "VALIDATION_ERROR"], argv.join(" ")).not.toContain(data["error_code"]);
      expect(await describeTree(folder), argv.join(" ")).toEqual(before);
    }
  });
});

describe("a server", () => {
  const openHttp = async (args: readonly string[]) => {
    const server = await openHttpServer(folder, args);
    const connection = await connect(server.url);
    return { connection, close: async () => void (await Promise.all([connection.close(), server.close()])) };
  };
  const openStdio = async (args: readonly string[]) => {
    const connection = await openStdioServer(folder, args);
    return { connection, close: () => connection.close() };
  };

  it.each([
    ["stdio", "a fresh workspace", openStdio, makeSpecs, []],
    ["stdio", "a specs folder that does not exist", openStdio, async () => {}, ["--specs-dir", "missing"]],
    ["HTTP", "a fresh workspace", openHttp, makeSpecs, []],
  ])("over %s creates nothing in %s, whatever is read", async (_surface, _name, open, make, options) => {
    await make();
    const before = await describeTree(folder);
    const { connection, close } = await open(["--tools", "all", ...options]);
    await readEverything(connection);
    expect(await describeTree(folder)).toEqual(before);
    await close();
    expect(await describeTree(folder)).toEqual(before);
  });

  it("over HTTP does not start in a specs folder that does not exist, and creates nothing", async () => {
    const before = await describeTree(folder);
    const refused = await callCli(["serve", "--port", "0", "--specs-dir", "missing"], { cwd: folder });
    expect(refused).toMatchObject({ success: false, data: { error_code: "NOT_FOUND" } });
    expect(await describeTree(folder)).toEqual(before);
  });

  async function readEverything(connection: Connection): Promise<void> {
    const { registry, close } = await openServer({
      cwd: folder,
      settings: { specs_dir: "specs", tools: "all", log_level: "silent" },
    });
    const calls = readOnlyCalls(registry);
    await close();
    expect(calls.length).toBeGreaterThan(25);
    for (const { tool, args } of calls) {
      const { data } = await connection.callTool(tool, args);
      expect(["MISSING_REQUIRED", "VALIDATION_ERROR"], tool).not.toContain(data["error_code"]);
    }
  }
});
