import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../source-files.ts";

/** The published packages, dependencies first. */
export const packageNames = ["@foundry-mcp/contract", "@foundry-mcp/toolkit", "foundry-mcp"] as const;

/** The part of a package.json that the tests read. */
export interface Manifest {
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Creates an empty folder. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), "foundry-packing-"));
}

/** Packs the packages as npm would publish them; returns the paths of the tarballs. */
export function packAll(folder: string): readonly string[] {
  const workspaces = packageNames.flatMap((name) => ["--workspace", name]);
  const output = execFileSync("npm", ["pack", "--json", "--pack-destination", folder, ...workspaces], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return (JSON.parse(output) as { filename: string }[]).map(({ filename }) => join(folder, filename));
}

/**
 * Installs tarballs as npm would, without a registry: their dependencies are linked to the packages installed here.
 */
export function installOffline(folder: string, tarballs: readonly string[]): void {
  const modules = join(folder, "node_modules");
  const installed = join(root, "node_modules");
  mkdirSync(join(modules, "@foundry-mcp"), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name.startsWith(".") || name === "@foundry-mcp" || name === "foundry-mcp") continue;
    symlinkSync(join(installed, name), join(modules, name), "dir");
  }
  mkdirSync(join(modules, ".bin"));
  for (const [index, name] of packageNames.entries()) {
    const place = join(modules, name);
    mkdirSync(place);
    execFileSync("tar", ["-xzf", tarballs[index] ?? "", "--strip-components=1", "-C", place]);
    for (const [command, path] of Object.entries(readManifest(folder, name).bin ?? {})) {
      chmodSync(join(place, path), 0o755);
      symlinkSync(join("..", name, path), join(modules, ".bin", command));
    }
  }
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
}

/** The package.json of an installed package. */
export function readManifest(folder: string, name: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")) as Manifest;
}

/** The entry points of the installed packages, as import specifiers. */
export function entryPointsOf(folder: string): readonly string[] {
  return packageNames.flatMap((name) =>
    Object.keys(readManifest(folder, name).exports)
      .filter((entry) => !entry.includes("*") && !entry.endsWith(".json"))
      .map((entry) => entry.replace(".", name)),
  );
}
