import type { JsonValue } from "@foundry-mcp/contract";
import type { Change, ChangeContext } from "../change.ts";
import { metadataEdits, setEdits } from "../node-edits.ts";
import type { NodeStatus } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { type JournalInput, journalEdits } from "./add-journal-entry.ts";
import { finishChange, type UnfinishedChange } from "./finish-change.ts";

/** The fields that every status change returns. */
export interface StatusResult {
  readonly spec_id: string;
  readonly task_id: string;
  readonly title: string;
  readonly status: NodeStatus;
  readonly previous_status: NodeStatus;
}

/** A status change of a node, with its metadata and journal entry. */
export interface StatusChange<R>
  extends Omit<JournalInput, "task_id">,
    Pick<UnfinishedChange<R>, "result" | "warnings"> {
  readonly to: NodeStatus;
  readonly metadata: Readonly<Record<string, JsonValue | undefined>>;
}

/** Sets the status of a node, and records the change in the journal. */
export function changeStatus<R>(
  spec: SpecModel,
  context: ChangeContext,
  node: SpecNode,
  { to, metadata, result, warnings, entry_type = "status_change", ...entry }: StatusChange<R>,
): Change<R> {
  const edits = [
    ...setEdits(["hierarchy", node.id], node.raw, { status: to }),
    ...metadataEdits(node, metadata),
    ...journalEdits(spec, { ...entry, entry_type, task_id: node.id }, context),
  ];
  return finishChange(spec, context, { edits, touched: [node.id], result, warnings });
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

/** Returns the metadata that stores a note; empty if there is no note. */
export function noteOf(note: string | undefined): { readonly status_note?: string } {
  return note === undefined || note === "" ? {} : { status_note: note };
}
