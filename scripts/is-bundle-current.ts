import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The last file that the bundling writes. */
const lastWritten = "packages/foundry/dist/bin/THIRD-PARTY.txt";

/** Returns true if the bundled programs are newer than all files from which they are built. */
export function isBundleCurrent(root: string): boolean {
  const bundled = statSync(join(root, lastWritten), { throwIfNoEntry: false })?.mtimeMs;
  if (bundled === undefined) return false;
  const isOlder = (path: string) => statSync(path).mtimeMs <= bundled;
  return (
    ["contract", "toolkit", "foundry"].every((name) => {
      const dist = join(root, "packages", name, "dist");
      return readdirSync(dist, { recursive: true, withFileTypes: true }).every(
        (entry) =>
          !entry.isFile() ||
          entry.parentPath === join(dist, "bin") ||
          // The page is built after the programs, and is not part of them.
          entry.parentPath.startsWith(join(dist, "page/site")) ||
          isOlder(join(entry.parentPath, entry.name)),
      );
    }) &&
    [
      "scripts/bundle-bins.ts",
      "scripts/evaluate-on-use.ts",
      "scripts/split-program.ts",
      "scripts/publish/third-party.ts",
      "package-lock.json",
    ].every((name) => isOlder(join(root, name)))
  );
}
