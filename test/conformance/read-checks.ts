import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The checks of one scenario. */
export interface Scenario {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** The messages of checks that failed or warned. */
  readonly remarks: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string | undefined;
}

/** The folder of a scenario is `server-{scenario}-{time}`. */
const folderName = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** Reads the checks that a suite wrote, because its summary counts a scenario without checks as passed. */
export async function readChecks(folder: string): Promise<Scenario[]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names.flatMap((entry) => {
      const [, name] = folderName.exec(entry) ?? [];
      return name === undefined ? [] : [readScenario(name, join(folder, entry, "checks.json"))];
    }),
  );
}

async function readScenario(name: string, file: string): Promise<Scenario> {
  const checks = await readFile(file, "utf8").then(
    (text) => JSON.parse(text) as readonly Check[],
    // A scenario that was aborted wrote no file, which counts as a failure.
    () => [{ id: name, status: "FAILURE", errorMessage: "it did not run to its end" }],
  );
  const withStatus = (...wanted: readonly string[]) => checks.filter(({ status }) => wanted.includes(status));
  return {
    name,
    passed: withStatus("SUCCESS").length,
    failed: withStatus("FAILURE").length,
    remarks: withStatus("FAILURE", "WARNING").map(
      ({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage ?? "no reason given"}`,
    ),
  };
}
