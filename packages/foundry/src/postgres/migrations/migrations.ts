import { specs } from "./0001-specs.ts";
import { content } from "./0002-content.ts";
import { limits } from "./0003-limits.ts";
import { trash } from "./0004-trash.ts";
import { jobs } from "./0005-jobs.ts";
import { gateways } from "./0006-gateways.ts";

/** One migration of the schema. */
export interface Migration {
  /** The schema version after the migration. Versions start at 1 and have no gaps. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** All migrations in order. A released migration is never changed. */
export const migrations: readonly Migration[] = [
  { number: 1, name: "specs", sql: specs },
  { number: 2, name: "content", sql: content },
  { number: 3, name: "limits", sql: limits },
  { number: 4, name: "trash", sql: trash },
  { number: 5, name: "jobs", sql: jobs },
  { number: 6, name: "gateways", sql: gateways },
];
