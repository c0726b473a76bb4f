import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { SpecModel } from "../spec-model.ts";
import { type ChildIndex, createChildIndex } from "./child-index.ts";
import type { AddFinding } from "./diagnostics.ts";

/** Options of a validation. */
export interface ValidateOptions {
  /** Report violations of authoring rules as errors, and check also completed tasks. @default false */
  readonly strictMetadata?: boolean | undefined;
}

/** A spec and the data that the checks share. The shared data is computed once. */
export interface CheckContext {
  readonly document: UnknownRecord;
  /** The nodes by id; empty if the spec has no hierarchy. */
  readonly hierarchy: UnknownRecord;
  /** The nodes that are objects, by id in the order of the file. */
  readonly nodes: ReadonlyMap<string, UnknownRecord>;
  readonly model: SpecModel;
  /** The entries of all lists of children. */
  readonly childIndex: ChildIndex;
  readonly isStrict: boolean;
  /** The time to which a repair sets a time that cannot be parsed. */
  readonly now: string;
}

/** Creates the context of the checks of a spec. */
export function createCheckContext(
  document: UnknownRecord,
  options?: ValidateOptions,
  now = "",
): CheckContext {
  const hierarchy = isRecord(document["hierarchy"]) ? document["hierarchy"] : {};
  const isNode = (entry: [string, unknown]): entry is [string, UnknownRecord] => isRecord(entry[1]);
  const nodes = new Map(Object.entries(hierarchy).filter(isNode));
  let index: ChildIndex | undefined;
  return {
    document,
    hierarchy,
    nodes,
    model: new SpecModel(document),
    get childIndex() {
      index ??= createChildIndex(nodes);
      return index;
    },
    isStrict: options?.strictMetadata === true,
    now,
  };
}

/** A check of one aspect of a spec. The check reports its findings with `add`. */
export type SpecCheck = (walk: CheckContext, add: AddFinding) => void;
