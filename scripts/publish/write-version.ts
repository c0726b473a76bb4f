import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The packages, whose versions are always equal. */
const manifests = [
  "package.json",
  ...["contract", "toolkit", "foundry"].map((name) => `packages/${name}/package.json`),
];
/** The sources that contain the version, so that a program need not read its package.json. */
const sources = ["packages/foundry/src/program/version.ts", "packages/toolkit/src/client/version.ts"];

/** A version of a release, such as 1.2.0 or 2.0.0-beta.1. */
export const versionPattern = /^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/;

/** Returns the version of the repository. Its one source is the package.json of the root. */
export function readVersion(root: string): string {
  return (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;
}

/** Returns the files that contain the version, with their texts for another version. */
export function planVersion(root: string, version: string): ReadonlyMap<string, string> {
  const former = readVersion(root);
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const planned = new Map<string, string>();
  for (const path of manifests) planned.set(path, replaceVersion(read(path), former, version));
  for (const path of sources)
    planned.set(
      path,
      read(path).replace(`"${former}"`, () => `"${version}"`),
    );
  const lock = JSON.parse(read("package-lock.json")) as Lock;
  lock.version = version;
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path !== "" && !path.startsWith("packages/")) continue;
    entry.version = version;
    for (const name of Object.keys(entry.dependencies ?? {}))
      if (entry.dependencies !== undefined && isOwn(name)) entry.dependencies[name] = version;
  }
  planned.set("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
  return planned;
}

/** Writes a version to all files that contain the version. */
export function writeVersion(root: string, version: string): void {
  for (const [path, text] of planVersion(root, version)) writeFileSync(join(root, path), text);
}

interface Lock {
  version: string;
  readonly packages: Record<string, { version?: string; dependencies?: Record<string, string> }>;
}

const isOwn = (name: string) => name.startsWith("@foundry-mcp/") || name === "foundry-mcp";

/** Replaces the version of a package and of its own dependencies. The rest of the text keeps its form. */
function replaceVersion(text: string, former: string, version: string): string {
  const escaped = former.replaceAll(".", "\\.");
  return text.replaceAll(
    new RegExp(`("(?:version|@foundry-mcp/\\w+|foundry-mcp)": )"${escaped}"`, "g"),
    (_, key: string) => `${key}"${version}"`,
  );
}
