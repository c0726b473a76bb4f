import { type WarningDetail, warning } from "@foundry-mcp/contract";
import { isPrintable } from "./argument-error.ts";

/** A correction of an argument that did not match its schema but whose meaning was certain. */
export interface Reading {
  /** The path of the argument, as written by the caller. */
  readonly field: string;
  /** The corrected meaning: another name, or the name of a type. */
  readonly as: string;
}

/** The corrections that the warning of a call lists. */
interface Readings {
  /** The first `maxNamed` corrections. */
  readonly readings: readonly Reading[];
  readonly count: number;
}

const code = "INPUT_NORMALIZED";
/** The maximum number of corrections that the warning names; further corrections are only counted. */
const maxNamed = 10;

/** Creates the warning about arguments that were corrected. */
export function toReadingWarning(all: readonly Reading[]): WarningDetail {
  const readings = all
    .slice(0, maxNamed)
    .map(({ field, as }) => ({ field: isPrintable(field) ? field : "a parameter", as }));
  return describe({ readings, count: all.length });
}

/** Adds a warning to the warnings of a call; all warnings about corrections are merged into one warning. */
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
  return warning(code, `Arguments were corrected: ${list}${rest}`, { readings, count });
}
