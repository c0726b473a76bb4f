import { execFileSync } from "node:child_process";
import { join } from "node:path";
import vm from "node:vm";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { root } from "./source-files.ts";

const entry = join(root, "packages/contract/dist/index.js");

function bundle(options: { external?: string[]; format: "esm" | "iife" }): string {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    platform: "browser",
    target: "es2022",
    globalName: "contract",
    ...options,
  });
  return outputFiles[0]!.text;
}

describe("@foundry-mcp/contract as a package", () => {
  it("is under 40 kB, bundled and minified without its two dependencies", () => {
    const text = bundle({ external: ["zod", "@noble/hashes"], format: "esm" });
    process.stdout.write(
      `contract: ${Buffer.byteLength(text)} bytes minified, ${gzipSync(text).length} gzipped\n`,
    );
    expect(Buffer.byteLength(text)).toBeLessThan(40_000);
  });

  it("runs where there is no Node: only the language, TextEncoder and base64", () => {
    const context = vm.createContext({ TextEncoder, TextDecoder, atob, btoa });
    vm.runInContext(`${bundle({ format: "iife" })}; globalThis.contract = contract;`, context);
    const run = (code: string): unknown =>
      JSON.parse(vm.runInContext(`JSON.stringify(${code})`, context) as string);
    expect(run('contract.successResponse({ a: 1 }, { requestId: "req_1" })')).toEqual({
      success: true,
      data: { a: 1 },
      error: null,
      meta: { version: "response-v2", request_id: "req_1" },
    });
    expect(run('contract.queryHash("climate change")')).toBe("f28d567c");
    expect(run("contract.checkEnvelope({}).map((finding) => finding.rule)")).toContain("E1");
    expect(
      run(
        'contract.decodeCursor({ tool: "t" }, contract.encodeCursor({ tool: "t" }, { kind: "key", key: ["é"] }))',
      ),
    ).toEqual({ kind: "key", key: ["é"] });
    expect(
      run(
        'contract.fitToBudget(contract.successResponse({ rows: Array(5000).fill("word") }), { maxTokens: 500 }).fidelity',
      ),
    ).toBe("partial");
  });

  it("pulls in no side effect: an import that uses nothing leaves nothing", () => {
    const { outputFiles } = buildSync({
      stdin: {
        contents: `import { responseVersion } from "${entry}"; globalThis.v = responseVersion;`,
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
