import { describe, expect, it } from "vitest";
import { toLazyModule } from "../../scripts/evaluate-on-use.ts";

// The script rewrites the output of esbuild by pattern. These tests fail if a new version of esbuild writes other
// code.
describe("a module that is evaluated at its first use", () => {
  const source = [
    'import fs from "node:fs";',
    'import * as path from "node:path";',
    'import { join as toPath } from "./other.js";',
    'export { renamed } from "./again.js";',
    "export const list = [1];",
    "export function read(stats) {",
    "  return [...path.sep, fs.readFileSync(toPath(String(stats))), stats.path];",
    "}",
  ].join("\n");

  it("loads nothing before a name of it is used", () => {
    const lazy = toLazyModule(source, "sample.js");
    const loaders = [...lazy.matchAll(/^var (\$\d+); function \1_\(\) \{ return \1 \?\?= (.*); \}$/gm)];
    expect(loaders.map(([, , load]) => load)).toEqual([
      '__toESM(require("node:fs"))',
      '__toESM(require("node:path"))',
      'require("./other.js")',
      'require("./again.js")',
    ]);
    const rest = lazy.replaceAll(/^var \$\d+; function .*$/gm, "");
    expect(rest).not.toContain("require(");
    for (const index of loaders.keys()) expect(rest).toContain(`($${index}_())`);
    expect(rest).toContain("stats.path");
  });

  it("exports what the source exports, under getters", () => {
    const lazy = toLazyModule(source, "sample.js");
    expect(lazy).toMatch(/^var stdin_exports = \{\};\n__export\(stdin_exports, \{/);
    for (const name of ["list", "read", "renamed"]) expect(lazy).toMatch(new RegExp(`${name}: \\(\\) =>`));
  });

  it("refuses an import for side effects", () => {
    expect(() => toLazyModule('import "./effect.js";\nexport const x = 1;', "x.js")).toThrow(
      /another way|side effects/,
    );
  });

  it("leaves a module without exports as it is", () => {
    const text = 'import "./effect.js";\nrun();';
    expect(toLazyModule(text, "x.js")).toBe(text);
  });
});
