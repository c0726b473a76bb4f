import { type WarningDetail, warning } from "@foundry-mcp/contract";
import { isPrintable } from "./argument-error.ts";

/** An argument that was not sent as its schema wants it, and whose meaning is certain. */
export interface Reading {
  /** The path of the argument, as the caller wrote it. */
  readonly field: string;
  /** What it was read as: another name, or a type in words. */
  readonly as: string;
}

/** What the warning of a call tells of its readings. */
interface Readings {
  /** The first ones. */
  readonly readings: readonly Reading[];
  readonly count: number;
}

const code = "INPUT_NORMALIZED";
/** More are counted and not named. */
const maxNamed = 10;

/** Creates the warning of arguments that were read in another way than they were sent. */
export function toReadingWarning(all: readonly Reading[]): WarningDetail {
  const readings = all
    .slice(0, maxNamed)
    .map(({ field, as }) => ({ field: isPrintable(field) ? field : "a parameter", as }));
  return describe({ readings, count: all.length });
}

/** Adds a warning to those of a call, which tells of all readings in one. */
export function addWarning(warnings: WarningDetail[], added: WarningDetail): void {
  const index = added.code === code ? warnings.findIndex((each) => each.code === code) : -1;
  const [before, after] = [warnings[index]?.context, added.context] as unknown as (Readings | undefined)[];
  if (before === undefined || after === undefined) warnings.push(added);
  else
    warnings[index] = describe({
      readings: [...before.readings, ...after.readings].slice(0, maxNamed),
      count: before.count + after.count,
    });
}

function describe({ readings, count }: Readings): WarningDetail {
  const rest = count > readings.length ? `, and ${count - readings.length} more` : "";
  const list = readings.map(({ field, as }) => `${field} as ${as}`).join(", ");
  return warning(code, `Arguments were read as they are meant: ${list}${rest}`, { readings, count });
}
