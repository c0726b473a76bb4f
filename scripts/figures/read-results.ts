import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Measurement } from "../../bench/measure.ts";
import type { Section } from "../../bench/report.ts";

/** The results of one bench, as `bench/report.ts` writes them. */
export interface Results {
  readonly name: string;
  readonly title: string;
  readonly date: string;
  readonly machine: { readonly node: string; readonly cpu: string; readonly cores: number };
  readonly sections: readonly Section[];
}

/** Reads the results of all benches, sorted by name. */
export function readResults(root: string): readonly Results[] {
  const folder = join(root, "bench/results");
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.toSorted().map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Results);
}

/** A measurement and its title. The measurements of a growth have the size in their title. */
export interface TitledMeasurement {
  readonly title: string;
  readonly measurement: Measurement;
}

/** Returns the measurements of a section: one, or one for each size. */
export function toMeasurements({ title, result }: Section): readonly TitledMeasurement[] {
  if (result.kind === "facts") return [];
  if (result.kind === "measurement") return [{ title, measurement: result }];
  return result.measurements.map((measurement, at) => ({
    title: `${title}, ${result.sizes[at]?.toLocaleString("en") ?? ""}`,
    measurement,
  }));
}
