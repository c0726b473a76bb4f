import type { Lease } from "../model/lease.ts";
import type { SpecFolder } from "../model/spec-document.ts";
import type { HistoryEntry, SpecStore } from "./spec-store.ts";
import type { StoredResponse } from "./stored-response.ts";

/** A text that a spec once had, and how it came to be. */
export interface RevisionText {
  readonly entry: HistoryEntry;
  readonly text: Uint8Array;
}

/** A spec with all that is kept of it, on its way to another store. */
export interface SpecExport {
  readonly id: string;
  readonly folder: SpecFolder;
  readonly revision: string;
  /** Byte for byte. */
  readonly text: Uint8Array;
  /** The highest numbers that were given to nodes. */
  readonly marks: Readonly<Record<string, number>>;
  readonly leases: readonly Lease[];
  /** How many leases were given out. */
  readonly fence: number;
  /** What calls with a key were answered, by the names of their keys. */
  readonly responses: ReadonlyMap<string, StoredResponse>;
  /** Every revision that is kept, the newest first; that is the present one. */
  past(): AsyncIterable<RevisionText>;
}

/** A store that gives specs away, and takes those of others, with all that is kept of them. */
export interface CopyableStore extends SpecStore {
  exportSpec(id: string): Promise<SpecExport>;
  /** Takes a spec in; one of its id must not be there, unless it may be overwritten or is what a copy that was cut short left. */
  importSpec(parcel: SpecExport, options?: { readonly overwrite?: boolean | undefined }): Promise<void>;
}

/** The number that a revision begins with. */
export function counterOf(revision: string): number {
  return Number.parseInt(revision, 10);
}
