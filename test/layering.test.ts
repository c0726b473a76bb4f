import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSourceFiles, resolveImport, root, type SourceFile } from "./source-files.ts";

const files = readSourceFiles();
const shipped = files.filter(({ isTest }) => !isTest);
const manifests = new Map(
  ["contract", "toolkit", "foundry"].map((name) => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")) as {
      name: string;
      dependencies: Record<string, string>;
      peerDependencies?: Record<string, string>;
      exports: Record<string, unknown>;
    };
    return [name, manifest];
  }),
);
const entryPoints = new Set(
  [...manifests.values()].flatMap(({ name, exports }) =>
    Object.keys(exports).map((path) => path.replace(".", name)),
  ),
);
const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  devDependencies: Record<string, string>;
};
const packageNames = [...manifests.values()].map(({ name }) => name);

/** The order of the packages. A package may import the packages before it in this list. */
const order = ["contract", "toolkit", "foundry"];

const importsOf = (file: SourceFile) => file.imports.map(({ specifier }) => specifier);
const isRelative = (specifier: string) => specifier.startsWith(".");
/** Returns true for a file of the same package. Tests may also use the test databases. */
const isWithin = (file: SourceFile, path: string) =>
  path.startsWith(`packages/${file.package}/src/`) ||
  (file.isTest && path === "test/postgres/test-databases.ts");

/** The slices of foundry that each slice may import. */
const slices: Readonly<Record<string, readonly string[]>> = {
  program: [],
  files: [],
  servers: ["files"],
  postgres: ["program", "files"],
  jobs: ["files", "postgres"],
  config: ["program", "postgres"],
  specs: ["program", "files", "postgres"],
  ranking: [],
  research: ["files", "ranking"],
  check: ["program", "files", "servers"],
  gateway: ["files", "servers", "postgres", "ranking"],
  page: ["files", "specs"],
  app: [
    ...["program", "files", "servers", "postgres", "jobs", "config"],
    ...["specs", "research", "check", "gateway", "page"],
  ],
  cli: ["program", "app", "config", "specs", "gateway"],
};

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));

/**
 * Returns the two sides of an import between folders. A side is a subfolder of the deepest common folder. Files
 * directly in the common folder are a separate side. Returns undefined for an import within one folder.
 */
function toFolderEdge(from: string, to: string): readonly [string, string] | undefined {
  const left = folderOf(from).split("/");
  const right = folderOf(to).split("/");
  const depth = left.findIndex((name, index) => name !== right[index]);
  const common = depth === -1 ? left.length : depth;
  if (common === left.length && common === right.length) return undefined;
  const side = (path: readonly string[]) =>
    path.length === common ? `${path.join("/")}/*.ts` : path.slice(0, common + 1).join("/");
  return [side(left), side(right)];
}

/** Returns every cycle of a directed graph as `a → b → a`. The cycles are found depth first. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, path: readonly string[]) => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(" → "));
    else if (!done.has(node)) {
      for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
      done.add(node);
    }
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

describe("the direction of imports", () => {
  it("sees the files it is to judge", () => {
    expect(shipped.filter((file) => file.package === "contract").length).toBeGreaterThan(40);
    expect(shipped.flatMap(importsOf).length).toBeGreaterThan(150);
  });

  it("goes from foundry to toolkit to contract, never back", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .map((specifier) => ({
          from: file.package,
          to: packageNames.findIndex((name) => specifier === name || specifier.startsWith(`${name}/`)),
          specifier,
        }))
        .filter(({ from, to }) => to !== -1 && to >= order.indexOf(from))
        .map(({ specifier }) => `${file.path} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it("enters a package through its entry points only", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((specifier) =>
          isRelative(specifier)
            ? !isWithin(file, resolveImport(file, specifier))
            : packageNames.some((name) => specifier.startsWith(name)) && !entryPoints.has(specifier),
        )
        .map((specifier) => `${file.path} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it("lets a slice of foundry import the shared slices only", () => {
    const sliceOf = (path: string) => path.split("/")[3] ?? "";
    const inside = shipped.filter(
      ({ path }) => path.startsWith("packages/foundry/src/") && path.split("/").length > 4,
    );
    expect([...new Set(inside.map(({ path }) => sliceOf(path)))].sort()).toEqual(Object.keys(slices).sort());
    const wrong = inside.flatMap((file) =>
      importsOf(file)
        .filter(isRelative)
        .map((specifier) => sliceOf(resolveImport(file, specifier)))
        .filter((to) => to !== sliceOf(file.path) && !slices[sliceOf(file.path)]?.includes(to))
        .map((to) => `${file.path} imports from ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it("has no cycle between folders, at any depth of any package", () => {
    const graph = new Map<string, string[]>();
    for (const file of shipped) {
      for (const specifier of importsOf(file).filter(isRelative)) {
        const edge = toFolderEdge(file.path, resolveImport(file, specifier));
        if (edge === undefined || graph.get(edge[0])?.includes(edge[1])) continue;
        graph.set(edge[0], [...(graph.get(edge[0]) ?? []), edge[1]]);
      }
    }
    expect(graph.size).toBeGreaterThan(40);
    expect(findCycles(graph)).toEqual([]);
  });

  it("keeps specs/model pure: it imports no Node module and no package but the contract", () => {
    const domain = shipped.filter(({ path }) => /^packages\/foundry\/src\/specs\/model\//.test(path));
    const foreign = domain.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => !isRelative(specifier) && !specifier.startsWith("@foundry-mcp/contract"))
        .map((specifier) => `${file.path} imports ${specifier}`),
    );
    expect(domain.length).toBeGreaterThan(50);
    expect(foreign).toEqual([]);
  });

  it("lets only the folders mcp, http and client of the toolkit import the MCP SDK", () => {
    const speakers = /^packages\/toolkit\/src\/(mcp|http|client)(\/|\.ts$)/;
    const wrong = shipped
      .filter((file) => importsOf(file).some((specifier) => specifier.startsWith("@modelcontextprotocol/")))
      .filter(({ path }) => !speakers.test(path))
      .map(({ path }) => path);
    expect(wrong).toEqual([]);
  });

  it("has no cycle between files", () => {
    const graph = new Map(
      shipped.map((file) => [
        file.path,
        file.imports
          .filter(({ specifier, isTypeOnly }) => isRelative(specifier) && !isTypeOnly)
          .map(({ specifier }) => resolveImport(file, specifier)),
      ]),
    );
    expect(findCycles(graph)).toEqual([]);
  });

  it("names every file it imports with its ending", () => {
    const paths = new Set(files.map(({ path }) => path));
    const missing = files
      .flatMap((file) =>
        importsOf(file)
          .filter(isRelative)
          .map((specifier) => resolveImport(file, specifier)),
      )
      .filter((path) => path.startsWith("packages/") && !paths.has(path) && !path.endsWith(".json"));
    expect(missing).toEqual([]);
  });
});

describe("dependencies", () => {
  it("are declared by the package that imports them, exactly", () => {
    for (const file of shipped) {
      const { dependencies, peerDependencies } = manifests.get(file.package)!;
      const names = importsOf(file)
        .filter((specifier) => !isRelative(specifier) && !isBuiltin(specifier))
        .map((specifier) =>
          specifier
            .split("/")
            .slice(0, specifier.startsWith("@") ? 2 : 1)
            .join("/"),
        );
      // The page is bundled into the package, so that its libraries are needed for the build only.
      const bundled = file.path.startsWith("packages/foundry/src/page/browser/") ? devDependencies : {};
      for (const name of names)
        expect(
          { ...bundled, ...dependencies, ...peerDependencies },
          `${file.path} imports ${name}`,
        ).toHaveProperty([name]);
    }
    for (const { dependencies } of manifests.values())
      for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("of the contract are zod and @noble/hashes, and no module of Node", () => {
    expect(Object.keys(manifests.get("contract")!.dependencies).toSorted()).toEqual(["@noble/hashes", "zod"]);
    const builtins = shipped
      .filter((file) => file.package === "contract")
      .flatMap((file) => importsOf(file).filter((specifier) => isBuiltin(specifier)));
    expect(builtins).toEqual([]);
  });
});
