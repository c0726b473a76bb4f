import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { SpecModel } from "../spec-model.ts";
import { type ChildIndex, createChildIndex } from "./child-index.ts";

/** How closely to look at a spec. */
export interface ValidateOptions {
  /** Rules of good authoring are errors, for finished tasks too. @default false */
  readonly strictMetadata?: boolean | undefined;
}

/** A spec as its checks see it; what several of them need is worked out once. */
export interface CheckContext {
  readonly document: UnknownRecord;
  /** Empty where the spec has none. */
  readonly hierarchy: UnknownRecord;
  /** The nodes that are objects, as the file has them. */
  readonly nodes: ReadonlyMap<string, UnknownRecord>;
  readonly model: SpecModel;
  /** Who lists whom. */
  readonly childIndex: ChildIndex;
  readonly isStrict: boolean;
  /** What a time becomes that cannot be read. */
  readonly now: string;
}

/** Prepares a spec for its checks. */
export function createCheckContext(
  document: UnknownRecord,
  options?: ValidateOptions,
  now = "",
): CheckContext {
  const hierarchy = isRecord(document["hierarchy"]) ? document["hierarchy"] : {};
  const nodes = new Map<string, UnknownRecord>();
  for (const id of Object.keys(hierarchy)) {
    const node = hierarchy[id];
    if (isRecord(node)) nodes.set(id, node);
  }
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
