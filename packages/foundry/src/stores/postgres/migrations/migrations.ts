import { specs } from "./0001-specs.ts";

/** One step of the schema. */
export interface Migration {
  /** Its place, counted from 1 without gaps. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** Every step of the schema in its order; what was released is never changed. */
export const migrations: readonly Migration[] = [{ number: 1, name: "specs", sql: specs }];
