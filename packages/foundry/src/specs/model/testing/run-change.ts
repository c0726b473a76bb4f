import { isContractError } from "@foundry-mcp/contract";
import { applyEdits } from "../../../files/json-text/edit.ts";
import type { ChangeContext, Plan } from "../change.ts";
import type { SpecDocument } from "../spec-document.ts";
import { SpecModel } from "../spec-model.ts";

/** The time of changes in tests. */
export const now = "2026-01-02T12:00:00Z";

/** A context for changes in tests. */
export const context: ChangeContext = {
  now,
  author: "tester",
  folder: "active",
  marks: {},
  leases: new Map(),
  newToken: "1-abcd",
};

/** Runs a plan. Returns the change and the document after the change. */
export function runChange<R>(document: SpecDocument, plan: Plan<R>, own: Partial<ChangeContext> = {}) {
  const change = plan(new SpecModel(document), { ...context, ...own });
  return { ...change, document: applyEdits(document, change.edits) };
}

/** Runs a plan that must fail, and returns its error. */
export function failureOf(document: SpecDocument, plan: Plan<unknown>) {
  try {
    plan(new SpecModel(document), context);
  } catch (error) {
    if (!isContractError(error)) throw error;
    const {
      remediation,
      options: { details },
    } = error;
    return { code: error.code, message: error.message, remediation, details };
  }
  throw new Error("The change did not fail");
}
