import { accessSync, constants, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The folder of Debian and Ubuntu, with a subfolder per version; not in PATH. */
const debian = "/usr/lib/postgresql";

/**
 * Finds the folder of PostgreSQL's programs: FOUNDRY_TEST_PG_BIN (`none` disables the search), else in PATH, else the
 * newest installed version.
 */
export function findBinaries(env: NodeJS.ProcessEnv, versions = debian): string | undefined {
  const wanted = env["FOUNDRY_TEST_PG_BIN"];
  if (wanted === "none") return undefined;
  if (wanted) {
    if (hasServer(wanted)) return wanted;
    throw new Error(
      `FOUNDRY_TEST_PG_BIN is ${JSON.stringify(wanted)}, and no initdb and postgres are there. Name a folder that has both, or none.`,
    );
  }
  const path = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...path, ...newestFirst(versions)].find(hasServer);
}

function newestFirst(folder: string): string[] {
  try {
    return readdirSync(folder)
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => join(folder, version, "bin"));
  } catch {
    return [];
  }
}

function hasServer(folder: string): boolean {
  try {
    for (const program of ["initdb", "postgres"]) accessSync(join(folder, program), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
