import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFolder, packAll } from "./packed.ts";
import { initialize, run } from "./programs.ts";

let folder: string;
beforeAll(() => {
  folder = makeFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** npm as the person who runs the tests has set it up: where it finds packages is theirs to say. */
const npm = (args: readonly string[]) =>
  run("npm", args, { cwd: folder, env: process.env as Readonly<Record<string, string>> });

describe("npm install of the three tarballs into an empty folder", () => {
  it("gives programs that run", async () => {
    const tarballs = packAll(folder);
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    mkdirSync(join(folder, "specs"));
    const installed = npm(["install", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs]);
    expect(installed).toMatchObject({ code: 0 });
    const { code, stdout } = npm(["exec", "--no", "--", "foundry-cli", "version"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { name: "foundry-mcp" } });
    expect(await initialize("node_modules/.bin/foundry-mcp", [], folder)).toMatchObject({
      result: { serverInfo: { name: "foundry-mcp" } },
    });
    const imported = run("node", ["--input-type=module", "-e", 'await import("foundry-mcp/check")'], {
      cwd: folder,
    });
    expect(imported).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});
