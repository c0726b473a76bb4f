import { ContractError, isContractError, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import type { Plan } from "../change.ts";
import { createChangeSequence } from "./change-sequence.ts";

/** Resolves a reference to an id; `field` is where it was used. */
export type IdOf = (name: string, field: string) => string;

/** One operation of a sequence. */
export interface Step {
  readonly op: string;
  /** Creates the plan when the step runs: it may refer to nodes that earlier steps added. */
  readonly plan: (idOf: IdOf) => Plan<object>;
  /** The name by which later steps refer to the node that it adds. */
  readonly ref?: string | undefined;
  /** The member of its result that has the id of the added node. */
  readonly adds?: string | undefined;
}

/** The result of a sequence of operations. */
export interface ApplyResult {
  readonly spec_id: string;
  readonly applied: number;
  readonly results: readonly object[];
  /** The ids of added nodes, by the names that the steps gave. */
  readonly refs: Readonly<Record<string, string>>;
}

/**
 * Applies many operations as one change: each sees the results of those before it, and if one fails nothing
 * changes.
 */
export function applySteps(steps: readonly Step[]): Plan<ApplyResult> {
  return (spec, context) => {
    if (steps.length === 0) throw validationError({ field: "operations", constraint: "required" });
    const sequence = createChangeSequence(spec, context);
    const refs = new Map<string, string>();
    const results = steps.map(({ op, plan, ref, adds }, index) => {
      const result = attempt(index, op, () => sequence.run(plan((name, field) => idOf(refs, name, field))));
      if (ref !== undefined && adds !== undefined)
        refs.set(ref, String((result as Readonly<Record<string, unknown>>)[adds]));
      const { spec_id: _, ...reported } = result as { readonly spec_id?: string };
      return { op, ...reported };
    });
    return sequence.finish({
      spec_id: spec.id,
      applied: steps.length,
      results,
      refs: Object.fromEntries(refs),
    });
  };
}

function attempt<R>(index: number, op: string, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw isContractError(error) ? withOperation(error, index, op) : error;
  }
}

function withOperation(error: ContractError, index: number, op: string): ContractError {
  const details: UnknownRecord = { ...error.options.details };
  const { field } = details;
  return new ContractError(
    `Cannot apply operations[${index}] (${op}), and nothing was changed: ${error.message}`,
    {
      ...error.options,
      details: {
        ...details,
        ...(typeof field === "string" ? { field: `operations[${index}].${field}` } : {}),
        operation: { index, op },
      },
    },
  );
}

function idOf(refs: ReadonlyMap<string, string>, name: string, field: string): string {
  const id = refs.get(name);
  if (id !== undefined) return id;
  const known = [...refs.keys()].map((each) => `$${each}`).join(", ");
  throw validationError(
    { field, constraint: "ref", received: `$${name}`, expected: "a ref that an operation before it has" },
    {
      message: `Cannot find what "$${name}" stands for: no operation before it has the ref "${name}"`,
      remediation:
        known === "" ? "Give ref to the operation that adds it." : `Use one of ${known}, or an id.`,
    },
  );
}
