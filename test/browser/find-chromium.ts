import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome"];

/**
 * Returns the path of an installed Chromium: FOUNDRY_TEST_CHROMIUM, or else a program on the PATH. Returns undefined
 * if there is none.
 */
export function findChromium(): string | undefined {
  const named = process.env["FOUNDRY_TEST_CHROMIUM"];
  if (named !== undefined && named !== "") return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

/** Returns the path of an installed Chromium. Throws if there is none and FOUNDRY_REQUIRE_BROWSER=1 requires one. */
export function findRequiredChromium(): string | undefined {
  const path = findChromium();
  if (path === undefined && process.env["FOUNDRY_REQUIRE_BROWSER"] === "1")
    throw new Error(
      "FOUNDRY_REQUIRE_BROWSER=1, but there is no chromium on the PATH: apt-get install chromium",
    );
  return path;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
