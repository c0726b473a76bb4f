import { type JsonObject, validationError } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { ChangeContext, Plan } from "../change.ts";
import {
  type RunFacts,
  recordsOf,
  requiresEvidence,
  type VerificationRecord,
  type VerificationResult,
} from "../evidence/verification-record.ts";
import { workHash } from "../evidence/work-hash.ts";
import { requireVerify } from "../find-node.ts";
import { recordEdits } from "../node-edits.ts";
import { awaitedWork } from "../readiness.ts";
import { countOpen } from "../require-ready.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { requireText } from "../text-limits.ts";
import { journalEdits } from "./add-journal-entry.ts";
import { createChangeSequence } from "./change-sequence.ts";
import { finishChange } from "./finish-change.ts";
import { reopenTask } from "./reopen-task.ts";

/** The maximum number of verifications stored for a node. */
const maxRecords = 10;

/** The outcome of a verification. */
export interface VerificationInput extends RunFacts {
  readonly verify_id: string;
  readonly result: VerificationResult;
  readonly issues?: string | undefined;
  readonly notes?: string | undefined;
  /** The hash of the work when the verification began. @default the hash of the current work */
  readonly work_hash?: string | undefined;
}

/** The result of recording a verification. */
export interface AddVerificationResult {
  readonly spec_id: string;
  readonly verify_id: string;
  readonly result: VerificationResult;
  readonly verified_at: string;
  readonly work_hash: string;
  /** False if the work has changed since the verification began. */
  readonly is_current: boolean;
  /**
   * False if some of the verified work is not completed. A verification of incomplete work does not count as
   * evidence.
   */
  readonly work_complete: boolean;
  /** True if the node cannot be completed without a valid verification. */
  readonly is_required: boolean;
  /** True if the node was completed and is pending again because the verification failed. */
  readonly reopened: boolean;
  /** The number of stored verifications. */
  readonly history_count: number;
}

/**
 * Throws for a PASSED result without a command, an output hash or notes, because nothing shows how the result
 * was established.
 */
function requireFacts({ command, argv, output_hash, notes }: VerificationInput): void {
  if (command || argv?.length || output_hash || notes) return;
  throw validationError(
    { field: "notes", constraint: "evidence", expected: "command, output or notes" },
    {
      message: "Cannot record PASSED without evidence: neither command, output nor notes were given",
      remediation: "Give command and output of what was run, or describe in notes what you checked.",
    },
  );
}

/**
 * Records a verification and adds a journal entry. A failed verification reopens a completed node. The nodes
 * that depend on the reopened node are not changed.
 */
export function addVerification(input: VerificationInput, action = "verify"): Plan<AddVerificationResult> {
  return (spec, context) => {
    const { verify_id } = input;
    const sequence = createChangeSequence(spec, context);
    const recorded = sequence.run(recordVerification(input, action));
    const node = requireVerify(spec, verify_id, action);
    if (recorded.result !== "FAILED" || !recorded.is_current || node.status !== "completed")
      return sequence.finish({ ...recorded, reopened: false });
    if (!reopensOnFailure(spec, node, context)) {
      const why = spec.isLeaf(node)
        ? `the spec is ${context.folder}`
        : "its status is derived from its children";
      return sequence.finish({ ...recorded, reopened: false }, [`${verify_id} stays completed: ${why}`]);
    }
    const reason = `The verification of ${recorded.verified_at} FAILED.`;
    sequence.run(reopenTask({ task_id: verify_id, reason }));
    const dependents = dependentsOf(spec, verify_id);
    return sequence.finish({ ...recorded, reopened: true }, [
      `${verify_id} was completed and is pending again: its verification FAILED`,
      ...(dependents.length === 0
        ? []
        : [`Tasks and phases that depend on ${verify_id} keep their status: ${listSome(dependents)}`]),
    ]);
  };
}

/**
 * True for a completed verify node that a failed verification reopens. Nodes of completed and archived specs
 * are never reopened.
 */
export function reopensOnFailure(
  spec: SpecModel,
  node: SpecNode,
  { folder }: Pick<ChangeContext, "folder">,
): boolean {
  return node.status === "completed" && spec.isLeaf(node) && (folder === "pending" || folder === "active");
}

/** Returns the ids of the nodes that wait for the given node or for one of its ancestors. */
function dependentsOf(spec: SpecModel, id: string): readonly string[] {
  return spec.ancestry(id).flatMap((node) => spec.dependents.get(node.id) ?? []);
}

const maxListed = 10;

function listSome(ids: readonly string[]): string {
  return `${ids.slice(0, maxListed).join(", ")}${ids.length > maxListed ? `, and ${ids.length - maxListed} more` : ""}`;
}

function recordVerification(
  input: VerificationInput,
  action: string,
): Plan<Omit<AddVerificationResult, "reopened">> {
  return (spec, context) => {
    const { verify_id, result, work_hash } = input;
    const node = requireVerify(spec, verify_id, action);
    for (const field of ["command", "issues", "notes"] as const) requireText(field, input[field]);
    requireText("argv", input.argv?.join(" "));
    if (result === "PASSED" && requiresEvidence(node)) requireFacts(input);
    const present = workHash(spec, verify_id);
    const record = toRecord({ ...input, work_hash: work_hash ?? present }, context);
    const isCurrent = record.work_hash === present;
    const open = awaitedWork(spec, node);
    const entry = {
      entry_type: "note" as const,
      title: `Verification ${result}: ${node.title}`,
      content: input.notes || toSentence(record),
      task_id: verify_id,
    };
    return finishChange(spec, context, {
      edits: [...verificationEdits(node, record), ...journalEdits(spec, entry, context)],
      touched: [],
      result: () => ({
        spec_id: spec.id,
        verify_id,
        result,
        verified_at: record.verified_at,
        work_hash: record.work_hash,
        is_current: isCurrent,
        work_complete: open === undefined,
        is_required: requiresEvidence(node),
        history_count: Math.min(recordsOf(node).length + 1, maxRecords),
      }),
      warnings: [
        ...(result === "PASSED" && input.exit_code
          ? [`PASSED was recorded although the command ended with exit code ${input.exit_code}`]
          : []),
        ...(isCurrent
          ? []
          : [`What ${verify_id} verifies changed while the verification ran, so the result does not count`]),
        ...(open === undefined ? [] : [`This is no evidence for ${verify_id}, because ${countOpen(open)}`]),
      ],
    });
  };
}

function toRecord(
  input: VerificationInput & { readonly work_hash: string },
  { now, author }: ChangeContext,
): VerificationRecord {
  const { verify_id: _, result, work_hash, issues, notes, ...facts } = input;
  return { verified_at: now, result, ...facts, work_hash, author, issues, notes };
}

function verificationEdits({ id, raw }: SpecNode, record: VerificationRecord): readonly Edit[] {
  const value = Object.fromEntries(Object.entries(record).filter(([, each]) => each !== "")) as JsonObject;
  return recordEdits(
    { path: ["hierarchy", id], raw },
    { list: "verification_history", record: value, max: maxRecords },
    { last_result: record.result, last_verified_at: record.verified_at },
  );
}

const ends = {
  signal: "was ended by a signal",
  timeout: "was ended at its deadline",
  flood: "was ended for writing too much",
};

function toSentence({ result, command, argv, exit_code, ended }: VerificationRecord): string {
  const line = argv?.join(" ") ?? command ?? "";
  if (line === "") return `Verified, with the result ${result}.`;
  const short = line.length > 200 ? `${line.slice(0, 200)}…` : line;
  if (ended !== undefined && ended !== "exit") return `${result}: ${short} ${ends[ended]}.`;
  return typeof exit_code === "number"
    ? `${result}: ${short} ended with exit code ${exit_code}.`
    : `${result}: ${short}.`;
}
