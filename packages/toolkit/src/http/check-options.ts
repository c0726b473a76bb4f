import { type ContractError, internal } from "@foundry-mcp/contract";

/** Creates the failure of an invalid server option: thrown when the server is created, before any client connects. */
export function refuseOption(fault: string, remediation: string): ContractError {
  return internal(`Cannot create a server over HTTP: ${fault}`, { remediation });
}

/** Refuses values that are not numbers of at least `least`, such as NaN and strings. */
export function requireAtLeast(least: number, numbers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value === "number" && value >= least) continue;
    const wanted = `a number from ${least} up`;
    throw refuseOption(`${name} is ${toText(value)}, not ${wanted}`, `Set ${name} to ${wanted}.`);
  }
}

/** Refuses values that are not integers from `least` to `max`. */
export function requireWhole(least: number, max: number, numbers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (Number.isInteger(value) && Number(value) >= least && Number(value) <= max) continue;
    const wanted = `a whole number from ${least} to ${max}`;
    throw refuseOption(`${name} is ${toText(value)}, not ${wanted}`, `Set ${name} to ${wanted}.`);
  }
}

/** Quotes strings, so that `"80"` is told apart from 80. */
function toText(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : String(value);
}
