import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFolder, packAll } from "./packed.ts";
import { initialize, run } from "./programs.ts";

let folder: string;
let tarballs: readonly string[];
beforeAll(async () => {
  folder = makeFolder();
  tarballs = await packAll(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs npm with the configuration of the person who runs the tests, for example with their registry. */
const npm = (args: readonly string[], cwd = folder) =>
  run("npm", args, { cwd, env: process.env as Readonly<Record<string, string>> });

/** Returns the installed packages, the scripts that npm runs for them, and their size in bytes. */
function measure(project: string): { packages: string[]; scripts: string[]; bytes: number } {
  const modules = join(project, "node_modules");
  const lock = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const sizes = readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return {
    packages: Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, "")),
    scripts: Object.entries(lock.packages).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript ? [path] : [],
    ),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}

describe("npm install of the three tarballs into an empty folder", () => {
  it("gives programs that run, in few packages and few megabytes, without an install script", async () => {
    const project = join(folder, "project");
    mkdirSync(join(project, "specs"), { recursive: true });
    writeFileSync(join(project, "package.json"), '{ "private": true }\n');
    const installed = npm(["install", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs], project);
    expect(installed).toMatchObject({ code: 0 });

    const { packages, scripts, bytes } = measure(project);
    const begun = performance.now();
    const { code, stdout } = npm(["exec", "--no", "--", "foundry-mcp", "version"], project);
    const taken = performance.now() - begun;
    process.stdout.write(
      `installed: ${packages.length} packages, ${(bytes / 1e6).toFixed(1)} MB; npx foundry-mcp version: ${taken.toFixed(0)} ms, Node ${process.version}\n`,
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { name: "foundry-mcp" } });
    expect(scripts).toEqual([]);
    expect(packages.toSorted()).toEqual([
      "@foundry-mcp/contract",
      "@foundry-mcp/toolkit",
      "@noble/hashes",
      "@openfeature/core",
      "@openfeature/server-sdk",
      "@opentelemetry/api",
      "foundry-mcp",
      "zod",
    ]);
    expect(bytes).toBeLessThan(30e6);

    expect(await initialize("node_modules/.bin/foundry-mcp", [], project)).toMatchObject({
      result: { serverInfo: { name: "foundry-mcp" } },
    });
    const imported = run("node", ["--input-type=module", "-e", 'await import("foundry-mcp/check")'], {
      cwd: project,
    });
    expect(imported).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});
