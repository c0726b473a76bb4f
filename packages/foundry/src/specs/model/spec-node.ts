import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { type NodeStatus, type NodeType, nodeStatuses, nodeTypes } from "./spec-document.ts";

/** A node. Every field that is missing in the file has a default value. */
export interface SpecNode {
  readonly id: string;
  readonly type: NodeType;
  readonly title: string;
  readonly status: NodeStatus;
  readonly parent: string | null;
  /** The ids of the children in the order of work. Duplicates and missing nodes are left out. */
  readonly children: readonly string[];
  readonly blockedBy: readonly string[];
  readonly blocks: readonly string[];
  /** Nodes on which the node depends only for information. These nodes do not block the node. */
  readonly depends: readonly string[];
  readonly metadata: UnknownRecord;
  /** The node as stored in the file. */
  readonly raw: UnknownRecord;
}

/** Converts a stored node. The caller passes the ids of the children that exist. */
export function toNode(id: string, raw: UnknownRecord, children: readonly string[]): SpecNode {
  const { type, title, status, parent, dependencies, metadata } = raw;
  const links = isRecord(dependencies) ? dependencies : {};
  return {
    id,
    type: typeOf(type),
    title: typeof title === "string" ? title : id,
    status: (nodeStatuses as readonly unknown[]).includes(status) ? (status as NodeStatus) : "pending",
    parent: typeof parent === "string" ? parent : null,
    children,
    blockedBy: textsOf(links["blocked_by"]),
    blocks: textsOf(links["blocks"]),
    depends: textsOf(links["depends"]),
    metadata: isRecord(metadata) ? metadata : {},
    raw,
  };
}

/** Returns the type of a stored node. An unknown type counts as task. */
export function typeOf(type: unknown): NodeType {
  return (nodeTypes as readonly unknown[]).includes(type) ? (type as NodeType) : "task";
}

/** The types of work that count towards progress. */
export const countedTypes: ReadonlySet<NodeType> = new Set(["task", "subtask", "verify"]);

/** An empty list that all nodes share. */
export const none: readonly string[] = [];

/** Returns the texts of a stored list. Any other value counts as an empty list. */
export function textsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return none;
  return value.filter((each) => typeof each === "string");
}
