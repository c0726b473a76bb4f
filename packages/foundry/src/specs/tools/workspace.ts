import type { SpecStore } from "../stores/spec-store.ts";

/** The specs that tools work on; the store is opened when a call first needs it. */
export interface Workspace {
  /** Opens the store of the specs; throws a ContractError if there is none. */
  store(): Promise<SpecStore>;
}
