import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callCli, openStdioServer, runCli } from "./programs.ts";

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "without-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const noSpecs = {
  success: false,
  error: "Cannot find specs: there is no folder called specs in this folder or above it",
  data: {
    error_code: "NOT_FOUND",
    error_type: "not_found",
    remediation:
      "Create a workspace with foundry-mcp init, or name the folder with --specs-dir or FOUNDRY_SPECS_DIR.",
    remedy: { command: "foundry-mcp init" },
    other_remedies: [{ setting: "specs_dir" }],
    details: { resource_type: "workspace", resource_id: "specs" },
  },
};

describe("a server over stdio in a folder without specs", () => {
  it("starts, answers every call with the remedy, and works once it was followed", async () => {
    const server = await openStdioServer(folder);
    try {
      for (const [tool, args] of [
        ["spec", { action: "list" }],
        ["task", { action: "next", spec_id: "s" }],
        ["authoring", { action: "spec-create", name: "New" }],
        ["research", { action: "list" }],
      ] as const)
        expect(await server.callTool(tool, args), tool).toMatchObject(noSpecs);
      const context = await server.callTool("server", { action: "context" });
      expect(context).toMatchObject({ success: true, data: { specs_dir: null } });
      await callCli(["init", "--yes", "--no-sample"], { cwd: folder });
      expect(await server.callTool("spec", { action: "list" })).toMatchObject({
        success: true,
        data: { specs: [], total_count: 0 },
      });
    } finally {
      await server.close();
    }
  });
});

describe("a specs folder that is named and missing", () => {
  it.each([
    ["an option", (path: string) => ({ argv: ["--specs-dir", path], env: {}, origin: "--specs-dir" })],
    [
      "the environment",
      (path: string) => ({ argv: [], env: { FOUNDRY_SPECS_DIR: path }, origin: "FOUNDRY_SPECS_DIR" }),
    ],
  ])("is an error, and the remedy creates it, where %s names it", async (_by, name) => {
    const path = join(folder, "plans");
    const { argv, env, origin } = name(path);
    const list = () => callCli([...argv, "specs", "list"], { cwd: folder, env });
    const refused = await list();
    const option = argv.length > 0 ? ` --specs-dir ${path}` : "";
    expect(refused).toMatchObject({
      success: false,
      error: `Cannot use the specs folder "${path}" of ${origin}: there is no such folder`,
      data: { error_code: "NOT_FOUND", remedy: { command: `foundry-cli init${option}` } },
    });
    const { command } = refused.data["remedy"] as { readonly command: string };
    const { code } = await runCli(command.split(" ").slice(1), { cwd: folder, env });
    expect(code).toBe(0);
    expect(await list()).toMatchObject({ success: true, data: { total_count: 1 } });
  });
});

describe("a tool that is not served", () => {
  it("is refused with how to have it served", async () => {
    await callCli(["init", "--yes", "--no-sample"], { cwd: folder });
    const server = await openStdioServer(folder, ["--tools", "core"]);
    try {
      expect(await server.callTool("authoring", { action: "spec-create", name: "New" })).toMatchObject({
        success: false,
        data: {
          error_code: "NOT_FOUND",
          remediation:
            "The tool authoring exists, but is not served here: start the server with --tools all, or with --tools reference for the names and keys of the Python server.",
        },
      });
    } finally {
      await server.close();
    }
  });
});
