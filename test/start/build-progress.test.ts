import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createBuildProgress } from "../../scripts/build-progress.ts";
import { isBundleCurrent } from "../../scripts/is-bundle-current.ts";

describe("the progress of a build", () => {
  const show = (stream: { readonly isTTY?: boolean; readonly columns?: number }) => {
    let shown = "";
    const progress = createBuildProgress(
      {
        ...stream,
        write(text) {
          shown += text;
        },
      },
      ["a", "b", "c"],
    );
    progress.begin("a");
    progress.begin("c");
    progress.end();
    progress.end();
    return shown;
  };
  const clear = "\r\u001b[2K";
  const title = "Building Foundry. The first time takes about a minute.\n";

  it("is a line for each step where there is no terminal", () => {
    expect(show({})).toBe("Building a (1 of 3)\nBuilding c (3 of 3)\n");
  });

  it("is a bar on a terminal, which is removed in the end", () => {
    expect(show({ isTTY: true, columns: 80 })).toBe(
      `${title}${clear}[..................] Building a (1 of 3)${clear}[############......] Building c (3 of 3)${clear}`,
    );
    expect(show({ isTTY: true, columns: 40 })).toBe(
      `${title}${clear}Building a (1 of 3)${clear}Building c (3 of 3)${clear}`,
    );
  });

  it("is silent where everything is up to date", () => {
    let shown = "";
    createBuildProgress({ isTTY: true, write: (text) => (shown += text) }, ["a"]).end();
    expect(shown).toBe("");
  });
});

describe("the bundle", () => {
  const bundle = "packages/foundry/dist/bin/THIRD-PARTY.txt";
  const source = "packages/contract/dist/deep/a.js";
  const files = [
    source,
    "packages/toolkit/dist/b.js",
    "packages/foundry/dist/c.js",
    "scripts/bundle-bins.ts",
    "scripts/evaluate-on-use.ts",
    "scripts/split-program.ts",
    "scripts/publish/third-party.ts",
    "package-lock.json",
  ];

  it("is current as long as nothing that it is made of is newer", async () => {
    const root = await mkdtemp(join(tmpdir(), "foundry-bundle-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const write = (path: string, time: number) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), "");
      utimesSync(join(root, path), time, time);
    };
    for (const path of files) write(path, 1_000);
    expect(isBundleCurrent(root)).toBe(false);
    write(bundle, 2_000);
    write("packages/foundry/dist/bin/foundry-mcp.cjs", 3_000);
    expect(isBundleCurrent(root)).toBe(true);
    for (const path of files) {
      write(path, 3_000);
      expect([path, isBundleCurrent(root)]).toEqual([path, false]);
      write(path, 1_000);
    }
  });
});
