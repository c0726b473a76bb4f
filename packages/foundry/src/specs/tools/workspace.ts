import type { SpecReader, SpecStore } from "../stores/spec-store.ts";

/** Why a store is opened: a read never creates one. */
export type StorePurpose = "read" | "write";

/** The purpose of a change: a dry run only reads. */
export function purposeOf({ dry_run = false }: { readonly dry_run?: boolean | undefined }): StorePurpose {
  return dry_run ? "read" : "write";
}

/** The specs that tools work on; the store is opened when a call first needs it. */
export interface Workspace {
  /** Opens the store of the specs to read; throws a ContractError if there is none. */
  store(purpose?: "read"): Promise<SpecReader>;
  /** Opens the store; to write, the schema of a database is brought up to date first. */
  store(purpose: StorePurpose): Promise<SpecStore>;
}
