import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { type NodeStatus, type NodeType, nodeStatuses, nodeTypes } from "./spec-document.ts";

/** A node as the rules see it: whatever its file lacks has a value. */
export interface SpecNode {
  readonly id: string;
  readonly type: NodeType;
  readonly title: string;
  readonly status: NodeStatus;
  readonly parent: string | null;
  /** In the order of work; only those that exist, each once. */
  readonly children: readonly string[];
  readonly blockedBy: readonly string[];
  readonly blocks: readonly string[];
  readonly depends: readonly string[];
  readonly metadata: UnknownRecord;
  /** As the file holds it. */
  readonly raw: UnknownRecord;
}

/** Reads a node as a file holds it; which of its children there are is told beside it. */
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

/** The type that a file gives a node; what it does not name is a task. */
export function typeOf(type: unknown): NodeType {
  return (nodeTypes as readonly unknown[]).includes(type) ? (type as NodeType) : "task";
}

/** An empty list that all share. */
export const none: readonly string[] = [];

function textsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return none;
  return value.filter((each) => typeof each === "string");
}
