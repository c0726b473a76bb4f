import { specs } from "./0001-specs.ts";
import { content } from "./0002-content.ts";
import { limits } from "./0003-limits.ts";

/** One migration of the schema. */
export interface Migration {
  /** The schema version after it, from 1 without gaps. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** All migrations in order; a released migration is never changed. */
export const migrations: readonly Migration[] = [
  { number: 1, name: "specs", sql: specs },
  { number: 2, name: "content", sql: content },
  { number: 3, name: "limits", sql: limits },
];
