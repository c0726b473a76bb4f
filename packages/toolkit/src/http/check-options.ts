import { refuseOption } from "./refuse-option.ts";

/** Refuses what is no number from `least` up; NaN and texts are none. */
export function requireAtLeast(least: number, numbers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value === "number" && value >= least) continue;
    const wanted = `a number from ${least} up`;
    throw refuseOption(`${name} is ${toText(value)}, not ${wanted}`, `Set ${name} to ${wanted}.`);
  }
}

/** Refuses what is no whole number from `least` to `most`. */
export function requireWhole(least: number, most: number, numbers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) continue;
    const wanted = `a whole number from ${least} to ${most}`;
    throw refuseOption(`${name} is ${toText(value)}, not ${wanted}`, `Set ${name} to ${wanted}.`);
  }
}

/** A text in quotes: `"80"` is not 80. */
function toText(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : String(value);
}
