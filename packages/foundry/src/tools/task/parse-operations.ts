import { validationError } from "@foundry-mcp/contract";
import { suggest } from "@foundry-mcp/toolkit";
import { z } from "zod";
import type { BatchOperation } from "../../specs/changes/batch-tasks.ts";
import { nodeStatuses } from "../../specs/spec-document.ts";
import { blockerTypes } from "../../specs/validate/known-values.ts";

const task_id = z.string().min(1);
const note = z.string().optional();
const reason = z.string().min(1);

/** What each operation of a batch takes: as its action does. */
const operations = {
  start: z.strictObject({ op: z.literal("start"), task_id, note }),
  complete: z.strictObject({ op: z.literal("complete"), task_id, note }),
  block: z.strictObject({
    op: z.literal("block"),
    task_id,
    reason,
    blocker_type: z.enum(blockerTypes).optional(),
    ticket: z.string().optional(),
  }),
  unblock: z
    .strictObject({
      op: z.literal("unblock"),
      task_id,
      note,
      status: z.enum(["pending", "in_progress"]).optional(),
    })
    .transform(({ note: resolution, status: to, ...rest }) => ({ ...rest, resolution, to })),
  "update-status": z.strictObject({
    op: z.literal("update-status"),
    task_id,
    status: z.enum(nodeStatuses),
    note,
  }),
  reopen: z.strictObject({ op: z.literal("reopen"), task_id, reason }),
};

/** Reads the operations of a batch, whose schema is too long to be told to every client. */
export function parseOperations(given: readonly { readonly op: string }[]): readonly BatchOperation[] {
  return given.map((operation, index) => {
    const { op } = operation;
    if (!Object.hasOwn(operations, op)) {
      throw validationError(
        {
          field: `operations[${index}].op`,
          constraint: "enum",
          expected: Object.keys(operations),
          received: op,
        },
        { remediation: suggest(op, Object.keys(operations)) },
      );
    }
    const parsed = operations[op as keyof typeof operations].safeParse(operation);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const field = [`operations[${index}]`, ...(issue?.path ?? [])].join(".");
    throw validationError(
      { field, constraint: issue?.code ?? "invalid" },
      {
        message: `Cannot read ${field}: ${issue?.message}`,
        remediation: `Give ${op} what task(action="${op}") takes.`,
      },
    );
  });
}
