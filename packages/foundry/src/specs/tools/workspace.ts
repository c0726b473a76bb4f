import type { SpecReader, SpecStore } from "../stores/spec-store.ts";

/** Why a store is opened: a read never creates one. */
export type StorePurpose = "read" | "write";

/** The purpose of a change: a dry run only reads, from an empty store where there is none yet. */
export type ChangePurpose = "dry_run" | "write";

/** Returns the purpose of a change. */
export function purposeOf({ dry_run = false }: { readonly dry_run?: boolean | undefined }): ChangePurpose {
  return dry_run ? "dry_run" : "write";
}

/** The specs that tools work on; the store is opened when a call first needs it. */
export interface Workspace {
  /** Opens the store of the specs to read; throws a ContractError if there is none. */
  store(purpose?: "read"): Promise<SpecReader>;
  /** Opens the store to change it; to write, the schema of a database is brought up to date first. */
  store(purpose: ChangePurpose): Promise<SpecStore>;
}
