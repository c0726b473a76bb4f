import type { Edit } from "../../files/json-text/edit.ts";
import type { Lease, Leases } from "./lease.ts";
import type { DependencyName } from "./resolve-dependency.ts";
import type { SpecFolder } from "./spec-document.ts";
import type { SpecModel } from "./spec-model.ts";

/** What a plan may use besides the spec itself. */
export interface ChangeContext {
  /** The time of the change, ISO 8601 in UTC. */
  readonly now: string;
  /** The author of the change, for journal entries. */
  readonly author: string;
  /** The folder of the spec, which is its status. */
  readonly folder: SpecFolder;
  /**
   * The highest number ever given to a node for each prefix such as `task-1`; ids of removed nodes are not
   * reused.
   */
  readonly marks: Readonly<Record<string, number>>;
  /** All leases of the spec, including expired ones. */
  readonly leases: Leases;
  /** A token that no lease of the spec has had before. */
  readonly newToken: string;
  /**
   * Takes a dependency on something that the spec does not have, in a sequence whose later changes may add it.
   * @default such a dependency is an error
   */
  readonly onUnresolved?: ((name: DependencyName) => void) | undefined;
}

/** The edits of a change, its result, and what is stored besides the spec. */
export interface Change<R> {
  /** Empty if there is nothing to write. */
  readonly edits: readonly Edit[];
  readonly result: R;
  /** Warnings that are returned with the result. */
  readonly warnings?: readonly string[] | undefined;
  /** The highest numbers given to new nodes, by prefix. */
  readonly marks?: Readonly<Record<string, number>> | undefined;
  /** New or renewed leases by task, null for one that ends. They are stored in a sidecar file of the spec. */
  readonly leases?: Readonly<Record<string, Lease | null>> | undefined;
}

/**
 * A pure function that computes a change, so that a store can run it again after a conflict. Throws
 * ContractError.
 */
export type Plan<R> = (spec: SpecModel, context: ChangeContext) => Change<R>;
