import type { FileStat } from "../../../files/durable/file-system.ts";
import type { SpecFile } from "../spec-file.ts";
import type { SpecSnapshot } from "../spec-store.ts";
import type { SpecPlace } from "./spec-folders.ts";

/** A spec that was read, and the file that it was read from. */
export interface Loaded {
  readonly place: SpecPlace;
  readonly stat: FileStat;
  readonly file: SpecFile;
  readonly snapshot: SpecSnapshot;
  readonly counter: number;
}
