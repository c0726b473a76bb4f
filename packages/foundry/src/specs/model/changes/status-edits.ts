import type { JsonValue } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { ChangeContext } from "../change.ts";
import { metadataEdits, setEdits } from "../node-edits.ts";
import type { NodeStatus } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { type JournalInput, journalEdits } from "./add-journal-entry.ts";

/** What every change of status tells. */
export interface StatusResult {
  readonly spec_id: string;
  readonly task_id: string;
  readonly title: string;
  readonly status: NodeStatus;
  readonly previous_status: NodeStatus;
}

/** A step of a node to another status, with what it leaves in metadata and journal. */
export interface StatusChange {
  readonly to: NodeStatus;
  readonly metadata: Readonly<Record<string, JsonValue | undefined>>;
  readonly entry: Omit<JournalInput, "task_id">;
}

/** The edits of a step. */
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

/** The start of the answer to a change of status. */
export function statusResult(spec: SpecModel, node: SpecNode, status: NodeStatus): StatusResult {
  return {
    spec_id: spec.id,
    task_id: node.id,
    title: node.title,
    status,
    previous_status: node.status,
  };
}

/** A note for the metadata, where there is one. */
export function noteOf(note: string | undefined): { readonly status_note?: string } {
  return note === undefined || note === "" ? {} : { status_note: note };
}
