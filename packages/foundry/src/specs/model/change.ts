import type { Edit } from "../../files/json-text/edit.ts";
import type { Lease, Leases } from "./lease.ts";
import type { SpecFolder } from "./spec-document.ts";
import type { SpecModel } from "./spec-model.ts";

/** What a change may need to know beyond the spec itself. */
export interface ChangeContext {
  /** The time of the change, ISO 8601 in UTC. */
  readonly now: string;
  /** Who makes it, for journal entries. */
  readonly author: string;
  /** The folder that the spec is in, which is its status. */
  readonly folder: SpecFolder;
  /** The highest number that was ever given to a node of a prefix such as `task-1`; removed ids stay given. */
  readonly marks: Readonly<Record<string, number>>;
  /** The leases there are, those that ran out too. */
  readonly leases: Leases;
  /** A token that no lease of the spec has had. */
  readonly newToken: string;
}

/** What a change does to a spec, and what its caller is told. */
export interface Change<R> {
  /** Empty where there is nothing to do; then nothing is written. */
  readonly edits: readonly Edit[];
  readonly result: R;
  /** Said along with the result. */
  readonly warnings?: readonly string[] | undefined;
  /** Numbers that were given to new nodes. */
  readonly marks?: Readonly<Record<string, number>> | undefined;
  /** Leases that are new or renewed, by task; null for one that is given up. They are kept beside the spec. */
  readonly leases?: Readonly<Record<string, Lease | null>> | undefined;
}

/** A change of a spec: pure, so that it can be made again when somebody else was faster. Throws a ContractError. */
export type Plan<R> = (spec: SpecModel, context: ChangeContext) => Change<R>;
