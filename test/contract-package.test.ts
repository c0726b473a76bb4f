import { execFileSync } from "node:child_process";
import { join } from "node:path";
import vm from "node:vm";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { root } from "./source-files.ts";

const dist = join(root, "packages/contract/dist");

function bundle(entryPoint: string, options: { external?: string[]; format: "esm" | "iife" }): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(dist, `${entryPoint}.js`)],
    bundle: true,
    minify: true,
    write: false,
    platform: "browser",
    globalName: entryPoint,
    ...options,
  });
  return outputFiles[0]!.text;
}

describe("@foundry-mcp/contract as a package", () => {
  it("is under 45 kB at its main entry point, bundled and minified without its two dependencies", () => {
    const sizes = ["index", "paging", "budget", "digest", "input"].map((entryPoint) => {
      const text = bundle(entryPoint, { external: ["zod", "@noble/hashes"], format: "esm" });
      return { entryPoint, minified: Buffer.byteLength(text), gzipped: gzipSync(text).length };
    });
    process.stdout.write(
      `${sizes.map(({ entryPoint, minified, gzipped }) => `contract/${entryPoint}: ${minified} bytes minified, ${gzipped} gzipped`).join("\n")}\n`,
    );
    expect(sizes[0]!.minified).toBeLessThan(45_000);
  });

  it("runs where there is no Node: only the language, TextEncoder and base64", () => {
    const context = vm.createContext({ TextEncoder, TextDecoder, atob, btoa });
    for (const entryPoint of ["index", "paging", "budget", "digest", "input"]) {
      vm.runInContext(
        `${bundle(entryPoint, { format: "iife" })}; globalThis.${entryPoint} = ${entryPoint};`,
        context,
      );
    }
    const run = (code: string): unknown =>
      JSON.parse(vm.runInContext(`JSON.stringify(${code})`, context) as string);
    expect(run('index.successResponse({ a: 1 }, { requestId: "req_1" })')).toEqual({
      success: true,
      data: { a: 1 },
      error: null,
      meta: { version: "response-v2", request_id: "req_1" },
    });
    expect(run('digest.queryHash("climate change")')).toBe("f28d567c");
    expect(run("index.checkEnvelope({}).map((finding) => finding.rule)")).toEqual(["E1", "E1", "E1", "E1"]);
    expect(
      run(
        'paging.decodeCursor({ tool: "t" }, paging.encodeCursor({ tool: "t" }, { kind: "key", key: ["é"] }))',
      ),
    ).toEqual({ kind: "key", key: ["é"] });
    expect(
      run(
        'budget.fitToBudget(index.successResponse({ rows: Array(5000).fill("word") }), { maxTokens: 500 }).fidelity',
      ),
    ).toBe("partial");
  });

  it("pulls in no side effect: an import that uses nothing leaves nothing", () => {
    const { outputFiles } = buildSync({
      stdin: {
        contents: `import { responseVersion } from "${join(dist, "index.js")}"; globalThis.v = responseVersion;`,
        resolveDir: root,
      },
      bundle: true,
      minify: true,
      write: false,
      format: "esm",
      external: ["zod", "@noble/hashes"],
    });
    expect(outputFiles[0]!.text.length).toBeLessThan(2_000);
  });

  it("ships dist, schema and fixtures, and no test", () => {
    const output = execFileSync(
      "npm",
      ["pack", "--dry-run", "--json", "--workspace", "@foundry-mcp/contract"],
      { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
    );
    const [pack] = JSON.parse(output) as { files: { path: string }[] }[];
    const paths = pack!.files.map(({ path }) => path);
    expect(paths.filter((path) => /test|testing|tsbuildinfo/.test(path))).toEqual([]);
    expect(paths).toEqual(
      expect.arrayContaining([
        "dist/index.js",
        "dist/index.d.ts",
        "schema/envelope.json",
        "fixtures/envelopes.json",
        "LICENSE",
        "README.md",
      ]),
    );
  });
});
