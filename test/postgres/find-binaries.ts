import { accessSync, constants, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The folder of Debian and Ubuntu, which is not in PATH and has a subfolder per version. */
const debian = "/usr/lib/postgresql";

/**
 * Finds the folder of PostgreSQL's programs. FOUNDRY_TEST_PG_BIN names the folder, and the value `none` disables the
 * search. Without this variable, the folder is one in PATH, or else that of the newest installed version.
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
