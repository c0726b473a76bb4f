import type { JsonValue } from "@foundry-mcp/contract";

/** The types of nodes in spec files. */
export const nodeTypes = ["spec", "phase", "group", "task", "subtask", "verify", "research"] as const;

/** The type of a node. */
export type NodeType = (typeof nodeTypes)[number];

/** The statuses of nodes. */
export const nodeStatuses = ["pending", "in_progress", "completed", "blocked"] as const;

/** The status of a node. */
export type NodeStatus = (typeof nodeStatuses)[number];

/** The folders of specs. The folder that contains a spec is the status of the spec. */
export const specFolders = ["pending", "active", "completed", "archived"] as const;

/** A folder of specs. The folder that contains a spec is the status of the spec. */
export type SpecFolder = (typeof specFolders)[number];

/** The id of the root node. */
export const rootId = "spec-root";

/**
 * A parsed spec file. The type allows any JSON object, because files may be invalid. `SpecModel` gives access to its
 * nodes.
 */
export type SpecDocument = Readonly<Record<string, unknown>>;

/** An entry of a spec's journal. */
export interface JournalEntry {
  readonly timestamp: string;
  readonly entry_type: string;
  readonly title: string;
  readonly content: string;
  readonly author: string;
  readonly metadata?: Readonly<Record<string, JsonValue>>;
  readonly task_id?: string;
}
