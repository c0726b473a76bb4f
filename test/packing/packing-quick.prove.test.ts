import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSbom } from "../../scripts/publish/sbom.ts";
import { readVersion } from "../../scripts/publish/write-version.ts";
import { root } from "../source-files.ts";
import { entryPointsOf, installOffline, makeFolder, packAll, packageNames } from "./packed.ts";
import { initialize, run } from "./programs.ts";

let folder: string;
let tarballs: readonly string[];
beforeAll(async () => {
  folder = makeFolder();
  tarballs = await packAll(folder);
  installOffline(folder, tarballs);
  mkdirSync(join(folder, "specs"));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filesOf = (dist: string) =>
  readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) => /\.[cm]?[jt]s$/.test(path));
const version = readVersion(root);
const tool = (name: string) => join(root, "node_modules/.bin", name);

describe("the packages, packed and installed in an empty folder", () => {
  it("run: foundry-cli", () => {
    const { code, stdout } = run("node_modules/.bin/foundry-cli", ["version"], { cwd: folder });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      data: { name: "foundry-mcp", version, node: process.version },
    });
  });

  it("run: foundry-mcp over stdio", async () => {
    expect(await initialize("node_modules/.bin/foundry-mcp", [], folder)).toMatchObject({
      id: 1,
      result: { protocolVersion: "2025-06-18", serverInfo: { name: "foundry-mcp", version } },
    });
  });

  it("can be imported at every entry point", () => {
    const entryPoints = entryPointsOf(folder);
    expect(entryPoints).toHaveLength(20);
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

  it.each(["01-envelope", "05-digest", "08-three-agents"])("run the example %s", (name) => {
    cpSync(join(root, ".build/examples", name), join(folder, name), { recursive: true });
    const { code, stdout, stderr } = run("node", [join(name, "story.js")], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/steps hold\.\n$/);
  });

  it("carry the licenses of the packages whose code they contain", () => {
    const dist = join(folder, "node_modules/@foundry-mcp/toolkit/dist");
    const contained = new Set(
      filesOf(dist).flatMap((path) => [
        // esbuild names the file of each module; copied types are in a folder for each package.
        ...[
          ...readFileSync(join(dist, path), "utf8").matchAll(
            /^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
          ),
        ].map(([, name = ""]) => name),
        ...(/^types\/([^/]+)\//.exec(path)?.slice(1) ?? []).map((name) => name.replace("__", "/")),
      ]),
    );
    expect([...contained]).toEqual(
      expect.arrayContaining(["@modelcontextprotocol/server", "hono", "pino", "rate-limiter-flexible"]),
    );
    const notices = readFileSync(join(dist, "THIRD-PARTY.txt"), "utf8");
    const licenses = [...notices.matchAll(/^(\S+) \d+\.\d+\.\d+\S* \((.+)\)\n\n(.)/gm)];
    expect(licenses.map(([, name]) => name).toSorted()).toEqual([...contained].toSorted());
    const kinds = new Set(licenses.map(([, , license]) => license));
    expect([...kinds].toSorted()).toEqual(["Apache-2.0", "ISC", "MIT"]);
  });

  it("are described by a bill of materials: each package, what is inside, and what it needs", () => {
    const staged = packageNames.map((name) => join(folder, "node_modules", name));
    const { components, dependencies } = createSbom(staged, join(root, "node_modules")) as {
      components: { name: string; licenses?: unknown; components?: { name: string; licenses?: unknown }[] }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    };
    expect(components.map(({ name }) => name)).toEqual([
      ...packageNames,
      "@noble/hashes",
      "zod",
      "@openfeature/core",
      "@openfeature/server-sdk",
      "@opentelemetry/api",
    ]);
    const inside = components.map(({ components: parts = [] }) => parts.map(({ name }) => name));
    expect(inside[0]).toEqual([]);
    expect(inside[1]).toEqual(expect.arrayContaining(["@modelcontextprotocol/server", "hono", "pino"]));
    expect(inside[2]).toEqual(expect.arrayContaining(["ajv", "gpt-tokenizer", "preact", "zod"]));
    expect(new Set(inside[2]).size).toBe(inside[2]?.length);
    const all = components.flatMap((each) => [each, ...(each.components ?? [])]);
    expect(all.filter(({ licenses }) => licenses === undefined)).toEqual([]);
    expect(dependencies[2]).toEqual({
      ref: `pkg:npm/foundry-mcp@${version}`,
      dependsOn: [
        `pkg:npm/%40foundry-mcp/contract@${version}`,
        `pkg:npm/%40foundry-mcp/toolkit@${version}`,
        expect.stringMatching(/^pkg:npm\/zod@/),
      ],
    });
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
      // The packages have no type that needs a package which is not installed.
      skipLibCheck: false,
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
