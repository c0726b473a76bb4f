import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The last file that the build of the page writes. */
const lastWritten = "packages/foundry/dist/page/site/THIRD-PARTY.txt";
/** The folders from which the page is built. */
const sources = [
  "packages/foundry/src/page/browser",
  "packages/foundry/src/specs/model",
  "packages/foundry/src/files/json-text",
  "packages/contract/dist",
];

/** Returns true if the built page is newer than all files from which it is built. */
export function isPageCurrent(root: string): boolean {
  const built = statSync(join(root, lastWritten), { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return false;
  const isOlder = (path: string) => statSync(path).mtimeMs <= built;
  return (
    sources.every((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).every(
        (entry) => !entry.isFile() || isOlder(join(entry.parentPath, entry.name)),
      ),
    ) &&
    ["scripts/build-page.ts", "scripts/publish/third-party.ts", "package-lock.json"].every((name) =>
      isOlder(join(root, name)),
    )
  );
}
