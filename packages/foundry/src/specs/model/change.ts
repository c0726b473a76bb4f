import type { Edit } from "../../files/json-text/edit.ts";
import type { Lease, Leases } from "./lease.ts";
import type { DependencyName } from "./resolve-dependency.ts";
import type { SpecFolder } from "./spec-document.ts";
import type { SpecModel } from "./spec-model.ts";

/** The data that a plan may use in addition to the spec. */
export interface ChangeContext {
  /** The time of the change, ISO 8601 in UTC. */
  readonly now: string;
  /** The author of the change, for journal entries. */
  readonly author: string;
  /** The folder that contains the spec. The name of the folder is the status of the spec. */
  readonly folder: SpecFolder;
  /**
   * The highest number that a node id ever had, by id prefix such as `task-1`. The ids of removed nodes are
   * not reused.
   */
  readonly marks: Readonly<Record<string, number>>;
  /** All leases of the spec, including expired ones. */
  readonly leases: Leases;
  /** A token that no lease of the spec has ever had. */
  readonly newToken: string;
  /**
   * A function that is called for a dependency on a node that does not exist. A sequence of changes passes
   * this function, because a later change may add the node.
   * @default such a dependency is an error
   */
  readonly onUnresolved?: ((name: DependencyName) => void) | undefined;
}

/** The edits of a change, its result, and the data to store in addition to the spec. */
export interface Change<R> {
  /** The edits of the spec; empty if there is nothing to write. */
  readonly edits: readonly Edit[];
  readonly result: R;
  /** Warnings that are returned with the result. */
  readonly warnings?: readonly string[] | undefined;
  /** The highest numbers given to new nodes, by id prefix. */
  readonly marks?: Readonly<Record<string, number>> | undefined;
  /** New or renewed leases by task id; null ends a lease. Leases are stored in a sidecar file of the spec. */
  readonly leases?: Readonly<Record<string, Lease | null>> | undefined;
}

/**
 * A pure function that computes a change. Because the function is pure, a store can run it again after a
 * conflict. The function throws a ContractError if the change is not allowed.
 */
export type Plan<R> = (spec: SpecModel, context: ChangeContext) => Change<R>;
