import { ContractError, isContractError, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import type { Plan } from "../change.ts";
import type { DependencyName } from "../resolve-dependency.ts";
import type { PhaseResult } from "./add-phase.ts";
import { createChangeSequence } from "./change-sequence.ts";
import { type CreatedNode, toCreatedNodes } from "./created-nodes.ts";
import { linkTasks } from "./link-tasks.ts";

/** Resolves a reference to an id. `field` is the parameter that contains the reference. */
export type IdOf = (name: string, field: string) => string;

/** One operation of a sequence. */
export interface Step {
  readonly op: string;
  /**
   * Creates the plan. The function is called when the step runs, so that the plan can refer to nodes that
   * earlier steps added.
   */
  readonly plan: (idOf: IdOf) => Plan<object>;
  /** The name by which later steps refer to the node that this step adds. */
  readonly ref?: string | undefined;
  /** The member of the result that contains the id of the added node. */
  readonly adds?: string | undefined;
}

/** The result of a sequence of operations. */
export interface ApplyResult {
  readonly spec_id: string;
  readonly applied: number;
  readonly results: readonly object[];
  /** The nodes that the operations added. */
  readonly created_nodes: readonly CreatedNode[];
  /** The ids of added nodes, by the names that the steps gave to the nodes. */
  readonly refs: Readonly<Record<string, string>>;
}

/**
 * Applies many operations as one change. Each operation sees the results of the operations before it. If one
 * operation fails, nothing changes.
 */
export function applySteps(steps: readonly Step[]): Plan<ApplyResult> {
  return (spec, context) => {
    if (steps.length === 0)
      throw validationError({ field: "operations", constraint: "required", received: steps });
    const postponed: (DependencyName & { readonly index: number })[] = [];
    let current = 0;
    const onUnresolved = (name: DependencyName) => void postponed.push({ ...name, index: current });
    const sequence = createChangeSequence(spec, { ...context, onUnresolved });
    const refs = new Map<string, string>();
    const created: string[] = [];
    const results = steps.map(({ op, plan, ref, adds }, index): object => {
      current = index;
      const result = attempt(index, op, () => sequence.run(plan((name, field) => idOf(refs, name, field))));
      if (ref !== undefined && adds !== undefined)
        refs.set(ref, String((result as Readonly<Record<string, unknown>>)[adds]));
      const { spec_id: _, created_nodes: added, ...reported } = result as Partial<PhaseResult>;
      created.push(...(added?.map(({ id }) => id) ?? addedId(result, adds)));
      return { op, ...reported };
    });
    for (const { index, ...name } of postponed) {
      const { op = "" } = steps[index] ?? {};
      const blocked_by = attempt(index, op, () => sequence.run(waitFor(name)));
      const result = results[index];
      if (result !== undefined && "blocked_by" in result) results[index] = { ...result, blocked_by };
    }
    return sequence.finish({
      spec_id: spec.id,
      applied: steps.length,
      results,
      created_nodes: toCreatedNodes(sequence.current(), created),
      refs: Object.fromEntries(refs),
    });
  };
}

function addedId(result: object, member: string | undefined): readonly string[] {
  const id = member === undefined ? undefined : (result as Readonly<Record<string, unknown>>)[member];
  return typeof id === "string" ? [id] : [];
}

/**
 * Adds the dependency of a task on a node that a later step added. Does nothing if a later step removed the
 * task.
 */
function waitFor(name: DependencyName): Plan<readonly string[]> {
  return (spec) => {
    if (spec.node(name.waiting) === undefined) return { edits: [], result: [] };
    const { edits } = linkTasks(spec, [name]);
    return { edits, result: spec.after(edits).node(name.waiting)?.blockedBy ?? [] };
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
      message: `Cannot find what "$${name}" refers to: no earlier operation has the ref "${name}"`,
      remediation:
        known === "" ? "Give ref to the operation that adds it." : `Use one of ${known}, or an id.`,
    },
  );
}
