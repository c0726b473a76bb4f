import { isRecord, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import { JsonDepthError, parseJsonText, tooDeep } from "@foundry-mcp/contract/input";
import type { Context } from "@foundry-mcp/toolkit";
import type { IdOf, Step } from "../../model/changes/apply-steps.ts";
import { authoringOperations } from "./authoring-operations.ts";
import { type Operations, parseOperation } from "./operation.ts";
import { editOperations, statusOperations } from "./task-operations.ts";
import type { CreateReplace } from "./timed-replace.ts";

/** The maximum number of operations in one list. */
export const maxOperations = 500;

/** All operations that change a spec. */
const operations: Operations = { ...statusOperations, ...editOperations, ...authoringOperations };

/** The parameters that take the id of a node. */
const idFields: ReadonlySet<string> = new Set([
  ...["task_id", "phase_id", "parent", "target_id", "depends_on", "discovered_from"],
]);

type GivenOperation = { readonly op: string };

/**
 * Converts operations to steps. The text `"$a"` means the id of the node that the operation with the ref `a`
 * adds.
 */
export function toSteps(given: readonly GivenOperation[], createReplace: CreateReplace): readonly Step[] {
  const refs = new Set<string>();
  return given.map((each, index): Step => {
    const { op, operation, input } = parseOperation(operations, each, index, toolOf(each));
    const { ref, ...fields } = input;
    if (typeof ref === "string" && refs.has(ref)) throw duplicateRef(ref, index);
    if (typeof ref === "string") refs.add(ref);
    return {
      op,
      ...(typeof ref === "string" ? { ref } : {}),
      adds: operation.adds,
      plan: (idOf) => operation.plan(resolveRefs(fields, idOf) as never, createReplace),
    };
  });
}

/**
 * Converts operations to their exact form. This conversion comes first, because roles and idempotency keys
 * must not depend on how an operation was written.
 */
export function readOperations(
  given: readonly GivenOperation[],
  warn: Context["warn"],
): readonly GivenOperation[] {
  return given.map((each, index) => {
    const { op, input } = parseOperation(operations, each, index, toolOf(each), warn);
    return { ...input, op };
  });
}

function toolOf({ op }: GivenOperation): "authoring" | "task" {
  return Object.hasOwn(authoringOperations, op) ? "authoring" : "task";
}

/** Returns the operations of a call, which are given as a list or as the JSON text of a list. */
export function parseOperationsText({
  operations: list,
  operations_text: text,
}: {
  readonly operations?: readonly GivenOperation[] | undefined;
  readonly operations_text?: string | undefined;
}): readonly GivenOperation[] {
  if (list !== undefined && text !== undefined)
    throw validationError(
      { field: "operations_text", constraint: "exclusive" },
      { message: "Cannot take operations and operations_text at once: leave one of them out" },
    );
  if (list !== undefined) return list;
  if (text === undefined) throw validationError({ field: "operations", constraint: "required" });
  const value = parseJson(text);
  const found = isRecord(value) ? value["operations"] : value;
  if (!Array.isArray(found)) throw invalidList("a list of operations", "not a list");
  if (found.length === 0 || found.length > maxOperations)
    throw invalidList(`1 to ${maxOperations} operations`, `a list of ${found.length}`);
  for (const [index, each] of found.entries())
    if (!isRecord(each) || typeof each["op"] !== "string")
      throw validationError({
        field: `operations[${index}].op`,
        constraint: "required",
        received: isRecord(each) ? each["op"] : each,
        expected: "an object whose op is the name of an operation",
      });
  return found as readonly GivenOperation[];
}

function resolveRefs(input: UnknownRecord, idOf: IdOf): UnknownRecord {
  const resolve = (value: unknown, field: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => resolve(each, field));
    return typeof value === "string" && value.startsWith("$") ? idOf(value.slice(1), field) : value;
  };
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      if (idFields.has(key)) return [key, resolve(value, key)];
      if (key !== "tasks" || !Array.isArray(value)) return [key, value];
      return [key, value.map((task) => (isRecord(task) ? resolveRefs(task, idOf) : task))];
    }),
  );
}

function parseJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    if (cause instanceof JsonDepthError) throw tooDeep("operations_text");
    throw validationError(
      { field: "operations_text", constraint: "json", expected: "JSON" },
      {
        errorCode: "INVALID_FORMAT",
        message: `Cannot read the operations: ${cause instanceof Error ? cause.message : "they are no JSON"}`,
        remediation:
          'Give a list of operations as JSON, such as [{"op": "complete", "task_id": "task-1-1"}].',
      },
    );
  }
}

function invalidList(expected: string, what: string) {
  return validationError(
    { field: "operations_text", constraint: "type", expected },
    {
      message: `Cannot read the operations: they are ${what}`,
      remediation: `Give ${expected}, such as [{"op": "complete", "task_id": "task-1-1"}], or an object with such a list as operations.`,
    },
  );
}

function duplicateRef(ref: string, index: number) {
  return validationError(
    { field: `operations[${index}].ref`, constraint: "unique", received: ref },
    {
      message: `Cannot use the ref "${ref}" for operations[${index}]: an earlier operation has this ref`,
      remediation: "Give each operation that adds something its own ref.",
    },
  );
}
