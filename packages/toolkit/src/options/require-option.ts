import { nearest } from "../text/did-you-mean.ts";

/**
 * Creates the error for an invalid option from a description of the fault and a sentence that says how to set the
 * option.
 */
export type RefuseOption = (fault: string, remediation: string) => Error;

/** Throws unless every value is a number of at least `min`; NaN and strings are refused. */
export function requireAtLeast(
  min: number,
  values: Readonly<Record<string, unknown>>,
  refuse: RefuseOption,
): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "number" && value >= min) continue;
    throw refuseValue(name, value, `a number from ${min} up`, refuse);
  }
}

/** Throws unless every value is a whole number from `min` to `max`. */
export function requireWhole(
  min: number,
  max: number,
  values: Readonly<Record<string, unknown>>,
  refuse: RefuseOption,
): void {
  for (const [name, value] of Object.entries(values)) {
    if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) continue;
    throw refuseValue(name, value, `a whole number from ${min} to ${max}`, refuse);
  }
}

/** Throws unless every value is one of the known names. */
export function requireOneOf(
  known: readonly string[],
  values: Readonly<Record<string, unknown>>,
  refuse: RefuseOption,
): void {
  for (const [name, value] of Object.entries(values)) {
    if ((known as readonly unknown[]).includes(value)) continue;
    const meant = nearest(String(value), known);
    const guess = meant === undefined ? "" : `: did you mean ${meant}?`;
    const fault = `${name} "${String(value)}" is none of ${known.join(", ")}${guess}`;
    throw refuse(fault, `Use ${known.join(" or ")}.`);
  }
}

function refuseValue(name: string, value: unknown, wanted: string, refuse: RefuseOption): Error {
  // Quotes distinguish the string "80" from the number 80.
  const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : String(value);
  return refuse(`${name} is ${shown}, not ${wanted}`, `Set ${name} to ${wanted}.`);
}
