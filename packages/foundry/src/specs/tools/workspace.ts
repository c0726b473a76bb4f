import type { SpecStore } from "../../stores/spec-store.ts";

/** What tools work on: opened when it is first needed, so that what needs nothing costs nothing. */
export interface Workspace {
  /** The store of the specs; throws a ContractError where there is none. */
  store(): Promise<SpecStore>;
}

/** Whether a workspace works, part by part. */
export interface Diagnosis {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly message: string }[];
}

/** What can be done with a workspace as such. */
export interface WorkspaceCommands {
  init(withSample: boolean): Promise<object>;
  diagnose(): Promise<Diagnosis>;
  version(): object;
}
