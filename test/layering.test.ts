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
const doors = new Set(
  [...manifests.values()].flatMap(({ name, exports }) =>
    Object.keys(exports).map((door) => door.replace(".", name)),
  ),
);
const packageNames = [...manifests.values()].map(({ name }) => name);

/** contract ← toolkit ← foundry: what stands left may be imported by what stands right. */
const order = ["contract", "toolkit", "foundry"];

const importsOf = (file: SourceFile) => file.imports.map(({ specifier }) => specifier);
const isRelative = (specifier: string) => specifier.startsWith(".");
/** A package keeps to its own files; its tests also use the databases that all tests share. */
const isWithin = (file: SourceFile, path: string) =>
  path.startsWith(`packages/${file.package}/src/`) ||
  (file.isTest && path === "test/postgres/test-databases.ts");

/** Which folders of a package each of its folders may import. */
const folders: Readonly<Record<"toolkit" | "foundry", Readonly<Record<string, readonly string[]>>>> = {
  toolkit: {
    schema: [],
    wire: [],
    result: [],
    text: [],
    files: [],
    options: [],
    context: ["schema"],
    define: ["schema", "context"],
    catalogue: ["schema", "define"],
    flags: ["files", "text", "context"],
    limits: ["options", "context"],
    archive: ["files", "context"],
    metrics: ["context"],
    dispatch: ["text", "schema", "context", "catalogue", "result", "flags", "limits", "archive"],
    registry: [
      "text",
      "options",
      "schema",
      "context",
      "define",
      "catalogue",
      "dispatch",
      "flags",
      "limits",
      "archive",
    ],
    cli: ["text", "schema", "context", "define", "catalogue", "dispatch", "registry"],
    mcp: ["text", "wire", "schema", "context", "define", "catalogue", "dispatch", "registry"],
    http: ["text", "options", "context", "dispatch", "registry", "mcp", "limits", "metrics"],
    client: ["wire", "context", "result"],
  },
  foundry: {
    files: [],
    servers: ["files"],
    postgres: ["files"],
    config: ["postgres"],
    specs: ["files", "postgres"],
    research: ["files"],
    check: ["files", "servers"],
    app: ["files", "postgres", "config", "specs", "research", "check"],
    cli: ["app", "config", "specs"],
  },
};

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

  it("enters a package through one of its doors only", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((specifier) =>
          isRelative(specifier)
            ? !isWithin(file, resolveImport(file, specifier))
            : packageNames.some((name) => specifier.startsWith(name)) && !doors.has(specifier),
        )
        .map((specifier) => `${file.path} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(["toolkit", "foundry"] as const)("inside %s goes one way too, between its folders", (name) => {
    const allowed = folders[name];
    const folderOf = (path: string) => path.split("/")[3] ?? "";
    const inside = shipped.filter(
      ({ path }) => path.startsWith(`packages/${name}/src/`) && path.split("/").length > 4,
    );
    expect([...new Set(inside.map(({ path }) => folderOf(path)))].sort()).toEqual(
      Object.keys(allowed).sort(),
    );
    const wrong = inside.flatMap((file) =>
      importsOf(file)
        .filter(isRelative)
        .map((specifier) => folderOf(resolveImport(file, specifier)))
        .filter((to) => to !== folderOf(file.path) && !allowed[folderOf(file.path)]?.includes(to))
        .map((to) => `${file.path} imports from ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it("keeps the domain of specs to itself: no module of Node, no package but the contract", () => {
    const domain = shipped.filter(({ path }) => /^packages\/foundry\/src\/specs\/model\//.test(path));
    const foreign = domain.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => !isRelative(specifier) && !specifier.startsWith("@foundry-mcp/contract"))
        .map((specifier) => `${file.path} imports ${specifier}`),
    );
    expect(domain.length).toBeGreaterThan(50);
    expect(foreign).toEqual([]);
  });

  it("lets only what serves or calls over MCP know the MCP SDK", () => {
    const speakers = /^packages\/toolkit\/src\/(mcp|http|client)(\/|\.ts$)/;
    const wrong = shipped
      .filter((file) => importsOf(file).some((specifier) => specifier.startsWith("@modelcontextprotocol/")))
      .filter(({ path }) => !speakers.test(path))
      .map(({ path }) => path);
    expect(wrong).toEqual([]);
  });

  it("never goes round in a circle", () => {
    const values = new Map(
      shipped.map((file) => [
        file.path,
        file.imports
          .filter(({ specifier, isTypeOnly }) => isRelative(specifier) && !isTypeOnly)
          .map(({ specifier }) => resolveImport(file, specifier)),
      ]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, above: readonly string[]) => {
      if (above.includes(path)) circles.push([...above.slice(above.indexOf(path)), path].join(" → "));
      else if (!done.has(path)) {
        for (const next of values.get(path) ?? []) visit(next, [...above, path]);
        done.add(path);
      }
    };
    for (const path of values.keys()) visit(path, []);
    expect(circles).toEqual([]);
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
      for (const name of names)
        expect({ ...dependencies, ...peerDependencies }, `${file.path} imports ${name}`).toHaveProperty([
          name,
        ]);
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
