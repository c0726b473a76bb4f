import type { JsonValue } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { ChangeContext } from "../change.ts";
import { metadataEdits, setEdits } from "../node-edits.ts";
import type { NodeStatus } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { type JournalInput, journalEdits } from "./add-journal-entry.ts";

/** The fields that every status change returns. */
export interface StatusResult {
  readonly spec_id: string;
  readonly task_id: string;
  readonly title: string;
  readonly status: NodeStatus;
  readonly previous_status: NodeStatus;
}

/** A status change of a node, with its metadata and journal entry. */
export interface StatusChange {
  readonly to: NodeStatus;
  readonly metadata: Readonly<Record<string, JsonValue | undefined>>;
  readonly entry: Omit<JournalInput, "task_id">;
}

/** Returns the edits of a status change. */
export function statusEdits(
  spec: SpecModel,
  node: SpecNode,
  { to, metadata, entry }: StatusChange,
  context: ChangeContext,
): readonly Edit[] {
  return [
    ...setEdits(["hierarchy", node.id], node.raw, { status: to }),
    ...metadataEdits(node, metadata),
    ...journalEdits(spec, { ...entry, task_id: node.id }, context),
  ];
}

/** Returns the common part of the result of a status change. */
export function statusResult(spec: SpecModel, node: SpecNode, status: NodeStatus): StatusResult {
  return {
    spec_id: spec.id,
    task_id: node.id,
    title: node.title,
    status,
    previous_status: node.status,
  };
}

/** Returns the metadata of a note, if there is one. */
export function noteOf(note: string | undefined): { readonly status_note?: string } {
  return note === undefined || note === "" ? {} : { status_note: note };
}
