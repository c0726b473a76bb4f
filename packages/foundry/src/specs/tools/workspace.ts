import type { SpecStore } from "../stores/spec-store.ts";

/** What tools work on: opened when it is first needed, so that what needs nothing costs nothing. */
export interface Workspace {
  /** The store of the specs; throws a ContractError where there is none. */
  store(): Promise<SpecStore>;
}
