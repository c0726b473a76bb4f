/**
 * Writes the packages as they are published: the code of most dependencies is bundled, so that an installation is
 * small. Run `npm run build` first.
 */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { entryPointsOf, type Manifest, readManifest, toPublished } from "./manifest.ts";
import { toNotices, toPackageFolders } from "./third-party.ts";
import { copyTypes } from "./type-files.ts";

// The compiled script is one folder deeper in the repository than its source.
const root = fileURLToPath(
  new URL(import.meta.url.includes("/.build/") ? "../../../" : "../../", import.meta.url),
);

/** The folders of the packages. Dependencies come first. */
export const packageFolders = ["contract", "toolkit", "foundry"] as const;

/**
 * The packages that stay separate. Their types or their state are shared with the code of the user: a schema of zod,
 * a provider of OpenFeature, the global SDK of OpenTelemetry.
 */
const shared = ["zod", "@noble/hashes", "@openfeature/server-sdk", "@opentelemetry/api"];
/** The OpenFeature SDK declares its core as a peer dependency. */
const peers: Readonly<Record<string, string>> = { "@openfeature/server-sdk": "@openfeature/core" };

/**
 * Writes each package into a folder of its name in `out`. Returns the paths of these folders.
 *
 * @param repository - the URL that the published package.json names
 */
export async function stagePackages(out: string, repository?: string): Promise<readonly string[]> {
  rmSync(out, { recursive: true, force: true });
  const stages = [stageContract, stageToolkit, stageFoundry];
  const folders: string[] = [];
  for (const [index, name] of packageFolders.entries()) {
    const source = join(root, "packages", name);
    const target = join(out, name);
    mkdirSync(join(target, "dist"), { recursive: true });
    for (const file of ["LICENSE", "NOTICE", "README.md"]) copy(source, target, file);
    const manifest = (await stages[index]?.(source, target)) ?? readManifest(source);
    const published =
      repository === undefined
        ? manifest
        : { ...manifest, repository: { type: "git", url: repository, directory: `packages/${name}` } };
    writeFileSync(join(target, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
    folders.push(target);
  }
  return folders;
}

function copy(source: string, target: string, path: string): void {
  const from = join(source, path);
  if (existsSync(from))
    cpSync(from, join(target, path), { recursive: true, filter: (each) => !/\.test\./.test(each) });
}

/**
 * The contract has two dependencies, which users share. Its modules stay separate, so that bundlers can drop them. Node
 * loads the same code from a few files, because a server that loads sixty files starts more slowly.
 */
async function stageContract(source: string, target: string): Promise<Manifest> {
  const manifest = readManifest(source);
  for (const path of ["dist", "schema", "fixtures"]) copy(source, target, path);
  await build({
    absWorkingDir: source,
    entryPoints: entryPointsOf(manifest).map((each) => `dist/${each}.js`),
    outdir: join(target, "dist/node"),
    entryNames: "[name]",
    chunkNames: "shared/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "node20",
    packages: "external",
    legalComments: "none",
    logLevel: "warning",
  });
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([name, entry]) => [
      name,
      typeof entry === "string"
        ? entry
        : {
            types: entry.types,
            node: entry.default.replace("./dist/", "./dist/node/"),
            default: entry.default,
          },
    ]),
  );
  return toPublished({ ...manifest, exports }, new Set(Object.keys(manifest.dependencies ?? {})));
}

async function stageToolkit(source: string, target: string): Promise<Manifest> {
  const manifest = readManifest(source);
  const entryPoints = entryPointsOf(manifest);
  const { metafile } = await build({
    absWorkingDir: source,
    entryPoints: entryPoints.map((each) => `dist/${each}.js`),
    outdir: join(target, "dist"),
    entryNames: "[name]",
    chunkNames: "shared/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["@foundry-mcp/*", ...shared],
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    // CommonJS packages load Node's modules with require.
    banner: {
      js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);',
    },
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external === true).map(({ path }) => path),
  );
  const types = copyOwnTypes(source, target, entryPoints);
  const separate = new Set([...imported.flatMap(toSeparateName), ...types.separate]);
  for (const name of [...separate]) if (peers[name] !== undefined) separate.add(peers[name]);
  const bundled = new Set([...toPackageFolders(source, [metafile]), ...types.copied]);
  writeFileSync(join(target, "dist/THIRD-PARTY.txt"), toNotices(bundled));
  return toPublished(manifest, separate);
}

/** The programs contain all code. The other packages are dependencies for the sake of their types. */
async function stageFoundry(source: string, target: string): Promise<Manifest> {
  const manifest = readManifest(source);
  const entryPoints = entryPointsOf(manifest);
  for (const path of ["bin", "dist/bin", "dist/page"]) copy(source, target, path);
  const { separate } = copyOwnTypes(source, target, entryPoints);
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([name, entry]) => [
      name,
      typeof entry === "string"
        ? entry
        : { ...entry, default: entry.default.replace("./dist/", "./dist/bin/") },
    ]),
  );
  return toPublished({ ...manifest, exports }, separate);
}

function copyOwnTypes(source: string, target: string, entryPoints: readonly string[]) {
  const names = [...shared, "@foundry-mcp/contract", "@foundry-mcp/toolkit", "pg", "pdfjs-dist"];
  return copyTypes({
    entryPoints: entryPoints.map((each) => join(source, "dist", `${each}.d.ts`)),
    from: join(source, "dist"),
    to: join(target, "dist"),
    isSeparate: (name) => names.includes(name),
  });
}

/** Returns the package of an import; none for a module of Node. */
function toSeparateName(path: string): readonly string[] {
  const [name = path] = /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
  return path.startsWith("node:") ||
    (!shared.some((each) => each === name) && !name.startsWith("@foundry-mcp/"))
    ? []
    : [name];
}
