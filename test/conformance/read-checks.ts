import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What a suite found in one scenario. */
export interface Scenario {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** What it says of the checks that failed or that it warned of. */
  readonly remarks: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string | undefined;
}

/** `server-{scenario}-{time}`, which holds the scenario's checks. */
const folderName = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** Reads what a suite wrote: the checks themselves, since it ticks a scenario off that checked nothing. */
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
    // A scenario that broke off wrote none: that is a failure, whatever it had found.
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
