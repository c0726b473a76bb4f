import type { SpecReader, SpecStore } from "../stores/spec-store.ts";

/** The purpose for which a store is opened. A read never creates a store. */
export type StorePurpose = "read" | "write";

/** The purpose of a change. A dry run only reads; if there is no store yet, it reads from an empty store. */
export type ChangePurpose = "dry_run" | "write";

/** Returns the purpose of a change. */
export function purposeOf({ dry_run = false }: { readonly dry_run?: boolean | undefined }): ChangePurpose {
  return dry_run ? "dry_run" : "write";
}

/** The specs that tools use. The store is opened when a call needs it for the first time. */
export interface Workspace {
  /** Opens the store for reading. Throws a ContractError if there is no store. */
  store(purpose?: "read"): Promise<SpecReader>;
  /** Opens the store for changes. For the purpose `write`, the schema of a database is updated first. */
  store(purpose: ChangePurpose): Promise<SpecStore>;
}
