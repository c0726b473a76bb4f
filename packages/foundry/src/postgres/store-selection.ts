import { programName } from "../program/program-name.ts";
/** The option, variable or setting that selected PostgreSQL as the store, for messages. */
export interface StoreSelection {
  /** An option, an environment variable, or the path of a settings file. */
  readonly origin: string;
  /** The value of that option, variable or setting, without its password. */
  readonly value: string;
}

/** Returns a text that names the setting that selected PostgreSQL: `FOUNDRY_STORE=postgres`. */
export function describeSelection({ origin, value }: StoreSelection): string {
  if (isOption(origin)) return `${origin} ${value}`;
  return /^[A-Z_]+$/.test(origin) ? `${origin}=${value}` : `store = "${value}" in ${origin}`;
}

/** Returns the command that migrates the schema of the selected database. */
export function toMigrateCommand({ origin, value }: StoreSelection): string {
  // The command also reads variables and files, so only an option must be repeated.
  return `${programName} store migrate${isOption(origin) ? ` --store ${value}` : ""}`;
}

function isOption(origin: string): boolean {
  return origin.startsWith("--");
}
