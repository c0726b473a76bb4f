import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readImports, root } from "../source-files.ts";

/** Returns the fixture server and every file of the repository that it imports, by path. */
function readFixture(): Map<string, string> {
  const texts = new Map<string, string>();
  const visit = (path: string): void => {
    if (texts.has(path)) return;
    const text = readFileSync(path, "utf8");
    texts.set(path, text);
    for (const { specifier } of readImports(text)) {
      if (specifier.startsWith(".")) visit(resolve(dirname(path), specifier));
    }
  };
  visit(join(root, "test/conformance/fixture-server.ts"));
  return texts;
}

const texts = readFixture();
const imports = [...texts.values()]
  .flatMap(readImports)
  .map(({ specifier }) => specifier)
  .filter((specifier) => !specifier.startsWith("."));

describe("the conformance fixture", () => {
  it("is read with all its imports", () => {
    expect(texts.size).toBeGreaterThan(8);
    expect(imports).toContain("@foundry-mcp/toolkit/http");
    expect(imports).toContain("@foundry-mcp/toolkit/mcp");
  });

  it("imports only the toolkit, zod and Node", () => {
    const foreign = imports.filter(
      (specifier) =>
        !/^@foundry-mcp\/toolkit(\/|$)/.test(specifier) && specifier !== "zod" && !isBuiltin(specifier),
    );
    expect(foreign).toEqual([]);
  });

  it("never mentions the SDK", () => {
    const naming = [...texts].filter(([, text]) => text.includes("@modelcontextprotocol"));
    expect(naming.map(([path]) => path)).toEqual([]);
  });

  it("imports only files of its own folder", () => {
    const outside = [...texts.keys()].filter((path) => !path.startsWith(join(root, "test/conformance/")));
    expect(outside).toEqual([]);
  });
});
