import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import type { Half } from "../test/research/sets/question-sets.ts";
import type { Growth, Measurement, Row, RunOptions } from "./measure.ts";
import type { Estimate } from "./statistics.ts";

/** One table of a bench. */
export interface Section {
  readonly title: string;
  readonly result: Measurement | Growth | Facts;
}

/** A table of values that are counted or measured once, without claims. The columns are the keys of the first row. */
export interface Facts {
  readonly kind: "facts";
  readonly rows: readonly FactRow[];
}

/** One row of a table of facts. */
export type FactRow = Readonly<Record<string, string | number>>;

/** The export of a module `bench/<name>.bench.ts`. */
export interface Bench {
  /** The name of the bench on the command line, and of its file of results. */
  readonly name: string;
  readonly title: string;
  /** Returns the tables to print and to write. A bench without times prints its tables itself and returns none. */
  readonly run: (options: BenchOptions) => Promise<readonly Section[]>;
}

/** The options of the command line. */
export interface BenchOptions extends RunOptions {
  /** The half of the labelled questions that the bench of research asks. */
  readonly half?: Half;
}

/** Formats the tables of one section for the terminal. */
export function toTables({ title, result }: Section): string {
  if (result.kind === "measurement") return toMeasurementTable(title, result);
  if (result.kind === "facts") return toFactTable(title, result);
  const perSize = result.measurements.map((each, i) =>
    toMeasurementTable(`${title}, size ${result.sizes[i]}`, each),
  );
  return [...perSize, toGrowthTable(title, result)].join("\n\n");
}

/** Writes bench/results/<name>.json below the current folder and returns its path. */
export async function writeResults(
  bench: Pick<Bench, "name" | "title">,
  sections: readonly Section[],
  date = new Date().toISOString(),
): Promise<string> {
  const folder = join("bench", "results");
  const path = join(folder, `${bench.name}.json`);
  // The record contains only facts that affect a figure. A host name or a path would only identify the person who ran
  // the bench.
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
  };
  const results = { name: bench.name, title: bench.title, date, machine, sections };
  await mkdir(folder, { recursive: true });
  await writeFile(path, `${JSON.stringify(results, toFourDigits, 2)}\n`);
  return path;
}

/**
 * Returns the target of a row and the comparison of its median with the target: `<= 1.35 met`, `<= 1.35 MISSED`, or
 * nothing.
 */
export function toVerdict({ target, ratio }: Pick<Row, "target" | "ratio">): string {
  if (target === undefined) return "";
  return `<= ${target} ${ratio.median <= target ? "met" : "MISSED"}`;
}

/** Formats a time in a unit that suits its size: `812 ns`, `1.25 µs`, `48.1 ms`, `2.03 s`. */
export function toTime(ms: number): string {
  const unit = toUnit(ms);
  return `${toDigits(ms * unit.perMs)} ${unit.name}`;
}

function toMeasurementTable(title: string, { rows, baseline, rounds, noise }: Measurement): string {
  const header = ["case", "median", "95 % interval", "ratio", "95 % interval", "claim", "target"];
  const body = rows.map((row) => [
    row.name,
    toTime(row.ms.median),
    toTimeInterval(row.ms),
    toRatio(row.ratio.median),
    toRatioInterval(row.ratio),
    row.name === baseline ? "baseline" : row.name === `A/A ${baseline}` ? "noise" : row.claim,
    toVerdict(row),
  ]);
  const footer = `${rounds} rounds; the same code against itself: ${toRatioInterval(noise)}`;
  return [title, toAligned([header, ...body], "lrrrrll"), footer].join("\n");
}

function toFactTable(title: string, { rows }: Facts): string {
  const columns = Object.keys(rows[0] ?? {});
  const body = rows.map((row) => columns.map((column) => toCell(row[column])));
  const sides = columns.map((column) => (typeof rows[0]?.[column] === "number" ? "r" : "l")).join("");
  return [title, toAligned([columns, ...body], sides)].join("\n");
}

/** Formats a value of a table of facts. */
export function toCell(value: string | number | undefined): string {
  return typeof value === "number" ? String(Number(value.toPrecision(4))) : (value ?? "");
}

function toGrowthTable(title: string, { sizes, measurements, rows }: Growth): string {
  const header = ["case", ...sizes.map(String), "exponent", "growth"];
  const body = rows.map(({ name, exponent, linear }) => [
    name,
    ...measurements.map(({ rows }) => toTime(rows.find((row) => row.name === name)?.ms.median ?? Number.NaN)),
    exponent.toFixed(2),
    linear ? "linear" : "more than linear",
  ]);
  return `${title}, time by size\n${toAligned([header, ...body], `l${"r".repeat(sizes.length + 1)}l`)}`;
}

function toAligned(table: readonly (readonly string[])[], sides: string): string {
  const widths = [...sides].map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row.map((cell, column) =>
      sides[column] === "r" ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    ),
  );
  lines.splice(
    1,
    0,
    widths.map((width) => "─".repeat(width)),
  );
  return lines.map((cells) => `  ${cells.join("  ")}`.trimEnd()).join("\n");
}

function toTimeInterval({ median, low, high }: Estimate): string {
  const { perMs, name } = toUnit(median);
  return `${toDigits(low * perMs)} – ${toDigits(high * perMs)} ${name}`;
}

function toRatioInterval({ low, high }: Pick<Estimate, "low" | "high">): string {
  return `${toRatio(low)} – ${toRatio(high)}`;
}

// The ratio has three decimals if it is near 1, where differences are small. For other ratios, three decimals would
// suggest a precision that does not exist.
function toRatio(value: number): string {
  if (value < 0.1) return value.toPrecision(2);
  return value < 10 ? value.toFixed(3) : toDigits(value);
}

function toUnit(ms: number): { name: string; perMs: number } {
  if (ms >= 1e3) return { name: "s", perMs: 1e-3 };
  if (ms >= 1) return { name: "ms", perMs: 1 };
  if (ms >= 1e-3) return { name: "µs", perMs: 1e3 };
  return { name: "ns", perMs: 1e6 };
}

function toDigits(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

// Numbers are rounded to four digits. More digits would be noise and would change every figure in the file on every
// run.
function toFourDigits(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}
