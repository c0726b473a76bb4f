import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { SpecModel } from "../spec-model.ts";
import { type ChildIndex, createChildIndex } from "./child-index.ts";
import type { AddFinding } from "./diagnostics.ts";

/** Options of a validation. */
export interface ValidateOptions {
  /** Authoring rules are errors, also for completed tasks. @default false */
  readonly strictMetadata?: boolean | undefined;
}

/** A spec as the checks read it; shared data is computed once. */
export interface CheckContext {
  readonly document: UnknownRecord;
  /** Empty if the spec has none. */
  readonly hierarchy: UnknownRecord;
  /** The nodes that are objects, in the order of the file. */
  readonly nodes: ReadonlyMap<string, UnknownRecord>;
  readonly model: SpecModel;
  /** The entries of all lists of children. */
  readonly childIndex: ChildIndex;
  readonly isStrict: boolean;
  /** The replacement for a time that cannot be parsed. */
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

/** A check of one aspect of a spec, which reports findings. */
export type SpecCheck = (walk: CheckContext, add: AddFinding) => void;
