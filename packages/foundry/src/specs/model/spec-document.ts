import type { JsonValue } from "@foundry-mcp/contract";

/** The types of nodes, as spec files name them. */
export const nodeTypes = ["spec", "phase", "group", "task", "subtask", "verify", "research"] as const;

/** The type of a node. */
export type NodeType = (typeof nodeTypes)[number];

/** Where a node stands. */
export const nodeStatuses = ["pending", "in_progress", "completed", "blocked"] as const;

/** The status of a node. */
export type NodeStatus = (typeof nodeStatuses)[number];

/** The folders that specs live in; a spec's status is its folder. */
export const specFolders = ["pending", "active", "completed", "archived"] as const;

/** The folder of a spec, which is its status. */
export type SpecFolder = (typeof specFolders)[number];

/** The node that all others hang on. */
export const rootId = "spec-root";

/** What a task waits for and what waits for it, as files hold it. */
export interface Dependencies {
  readonly blocked_by: readonly string[];
  readonly blocks: readonly string[];
  /** For information: it holds nothing up. */
  readonly depends: readonly string[];
}

/** A parsed spec file: whatever JSON object it is. What is read of it goes through `SpecModel`. */
export type SpecDocument = Readonly<Record<string, unknown>>;

/** One entry of a spec's journal. */
export interface JournalEntry {
  readonly timestamp: string;
  readonly entry_type: string;
  readonly title: string;
  readonly content: string;
  readonly author: string;
  readonly metadata?: Readonly<Record<string, JsonValue>>;
  readonly task_id?: string;
}
