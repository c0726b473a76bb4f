import { programName } from "../program/program-name.ts";
/** What selected PostgreSQL as the store, for messages. */
export interface StoreSelection {
  /** An option, a variable, or the path of a settings file. */
  readonly origin: string;
  /** The value that it has there, without its password. */
  readonly value: string;
}

/** Names what selected PostgreSQL: `FOUNDRY_STORE=postgres`. */
export function describeSelection({ origin, value }: StoreSelection): string {
  if (isOption(origin)) return `${origin} ${value}`;
  return /^[A-Z_]+$/.test(origin) ? `${origin}=${value}` : `store = "${value}" in ${origin}`;
}

/** The command that brings the schema of the selected database up to date. */
export function toMigrateCommand({ origin, value }: StoreSelection): string {
  // What a variable or a file says holds for that command too.
  return `${programName} store migrate${isOption(origin) ? ` --store ${value}` : ""}`;
}

function isOption(origin: string): boolean {
  return origin.startsWith("--");
}
