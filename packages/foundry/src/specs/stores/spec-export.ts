import type { Lease } from "../model/lease.ts";
import type { SpecFolder } from "../model/spec-document.ts";
import type { HistoryEntry, SpecStore } from "./spec-store.ts";
import type { StoredResponse } from "./stored-response.ts";

/** The text of a revision, and its history entry. */
export interface RevisionText {
  readonly entry: HistoryEntry;
  readonly text: Uint8Array;
}

/** A spec with its leases, responses and history, for a copy to another store. */
export interface SpecExport {
  readonly id: string;
  readonly folder: SpecFolder;
  readonly revision: string;
  /** The exact bytes of the text. */
  readonly text: Uint8Array;
  /** The highest node numbers assigned so far. */
  readonly marks: Readonly<Record<string, number>>;
  readonly leases: readonly Lease[];
  /** The number of leases granted so far. */
  readonly fence: number;
  /** The stored responses to calls with an idempotency key, by name. */
  readonly responses: ReadonlyMap<string, StoredResponse>;
  /** Returns all kept revisions; the current revision comes first, and the oldest revision comes last. */
  past(): AsyncIterable<RevisionText>;
}

/** A store that can export specs to another store and import specs from another store. */
export interface CopyableStore extends SpecStore {
  exportSpec(id: string): Promise<SpecExport>;
  /**
   * Imports a spec. Fails if the id of the spec exists, unless `overwrite` is set or an interrupted import
   * created the existing spec.
   */
  importSpec(exported: SpecExport, options?: { readonly overwrite?: boolean | undefined }): Promise<void>;
}

/** Returns the counter of a revision. For example, the counter of `12-3fa9c1d2` is 12. */
export function counterOf(revision: string): number {
  return Number.parseInt(revision, 10);
}
