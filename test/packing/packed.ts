import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stagePackages } from "../../scripts/publish/stage-packages.ts";
import { root } from "../source-files.ts";

/** The published packages. Dependencies come first. */
export const packageNames = ["@foundry-mcp/contract", "@foundry-mcp/toolkit", "foundry-mcp"] as const;

/** The part of a package.json that the tests read. */
export interface Manifest {
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Creates an empty folder. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), "foundry-packing-"));
}

/**
 * Packs the packages as they are published. Returns the paths of the tarballs. A release sets FOUNDRY_TEST_TARBALLS to
 * the folder of the tarballs that it is going to publish.
 */
export async function packAll(folder: string): Promise<readonly string[]> {
  const given = process.env["FOUNDRY_TEST_TARBALLS"];
  if (given !== undefined) {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return packageNames.map((name) =>
      join(given, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`),
    );
  }
  const staged = await stagePackages(join(folder, "staged"));
  const output = execFileSync("npm", ["pack", "--json", "--pack-destination", folder, ...staged], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return (JSON.parse(output) as { filename: string }[]).map(({ filename }) => join(folder, filename));
}

/**
 * Installs tarballs like npm, but without a registry. The dependencies that they declare are links to the packages
 * that are installed here; other packages cannot be imported.
 */
export function installOffline(folder: string, tarballs: readonly string[]): void {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  for (const [index, name] of packageNames.entries()) {
    const place = join(modules, name);
    mkdirSync(place, { recursive: true });
    execFileSync("tar", ["-xzf", tarballs[index] ?? "", "--strip-components=1", "-C", place]);
    const { bin = {}, dependencies = {} } = readManifest(folder, name);
    for (const [command, path] of Object.entries(bin)) {
      chmodSync(join(place, path), 0o755);
      symlinkSync(join("..", name, path), join(modules, ".bin", command));
    }
    for (const dependency of [...Object.keys(dependencies), "@types/node"]) link(modules, dependency);
  }
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
}

function link(modules: string, name: string): void {
  const place = join(modules, name);
  if (name.startsWith("@foundry-mcp/") || existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(root, "node_modules", name), place, "dir");
}

/** Returns the package.json of an installed package. */
export function readManifest(folder: string, name: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")) as Manifest;
}

/** Returns the entry points of the installed packages as import specifiers. */
export function entryPointsOf(folder: string): readonly string[] {
  return packageNames.flatMap((name) =>
    Object.keys(readManifest(folder, name).exports)
      .filter((entry) => !entry.includes("*") && !entry.endsWith(".json"))
      .map((entry) => entry.replace(".", name)),
  );
}
