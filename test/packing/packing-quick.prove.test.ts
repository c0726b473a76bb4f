import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../source-files.ts";
import { entryPointsOf, installOffline, makeFolder, packAll } from "./packed.ts";
import { initialize, run } from "./programs.ts";

let folder: string;
let tarballs: readonly string[];
beforeAll(() => {
  folder = makeFolder();
  tarballs = packAll(folder);
  installOffline(folder, tarballs);
  mkdirSync(join(folder, "specs"));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tool = (name: string) => join(root, "node_modules/.bin", name);

describe("the packages, packed and installed in an empty folder", () => {
  it("run: foundry-cli", () => {
    const { code, stdout } = run("node_modules/.bin/foundry-cli", ["version"], { cwd: folder });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      data: { name: "foundry-mcp", version: "0.1.0", node: process.version },
    });
  });

  it("run: foundry-mcp over stdio", async () => {
    expect(await initialize("node_modules/.bin/foundry-mcp", [], folder)).toMatchObject({
      id: 1,
      result: { protocolVersion: "2025-06-18", serverInfo: { name: "foundry-mcp", version: "0.1.0" } },
    });
  });

  it("can be imported at every entry point", () => {
    const entryPoints = entryPointsOf(folder);
    expect(entryPoints).toHaveLength(18);
    const script = entryPoints
      .map((entryPoint, i) => `import * as d${i} from ${JSON.stringify(entryPoint)};`)
      .join("\n");
    const counts = entryPoints.map((_, i) => `Object.keys(d${i}).length`).join(", ");
    writeFileSync(join(folder, "entry-points.js"), `${script}\nconsole.log(JSON.stringify([${counts}]));\n`);
    const { code, stdout, stderr } = run("node", ["entry-points.js"], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const empty = entryPoints.filter((_, i) => (JSON.parse(stdout) as number[])[i] === 0);
    expect(empty).toEqual([]);
  });

  it("have types that hold", () => {
    cpSync(join(root, "test/packing/consumer.txt"), join(folder, "consumer.ts"));
    const compilerOptions = {
      module: "nodenext",
      target: "es2022",
      lib: ["es2023"],
      strict: true,
      exactOptionalPropertyTypes: true,
      types: ["node"],
      noEmit: true,
      skipLibCheck: true,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    expect(run(tool("tsc"), ["-p", "."], { cwd: folder })).toEqual({ code: 0, stdout: "", stderr: "" });
  }, 600_000);

  it.each([0, 1, 2])(
    "satisfy publint and attw (package %#)",
    (index) => {
      const tarball = tarballs[index]!;
      const lint = run(tool("publint"), ["run", tarball, "--strict"], { cwd: folder });
      expect(lint).toMatchObject({ code: 0, stdout: expect.stringContaining("All good!") });
      const types = run(tool("attw"), [tarball, "--profile", "esm-only", "--no-color"], { cwd: folder });
      expect(types).toMatchObject({ code: 0 });
    },
    600_000,
  );
});
