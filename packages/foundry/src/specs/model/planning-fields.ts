import { type JsonValue, validationError } from "@foundry-mcp/contract";
import { isTaskNode, nearestIds } from "./find-node.ts";
import { levels, priorities, taskCategories, verificationTypes } from "./known-values.ts";
import type { SpecModel } from "./spec-model.ts";

type Values = Readonly<Record<string, JsonValue | undefined>>;

/** The allowed values of a field that plans the work on a spec or a task. */
interface PlanningField {
  readonly isValid: (value: unknown) => boolean;
  readonly expected: string | readonly string[];
}

const oneOf = (values: readonly string[]): PlanningField => ({
  isValid: (value) => (values as readonly unknown[]).includes(value),
  expected: values,
});

const isText = (value: unknown) => typeof value === "string";

/** The fields that plan the work, and the values that changes and validation accept for these fields. */
export const planningFields: Readonly<
  Record<"priority" | "labels" | "owner" | "discovered_from", PlanningField>
> = {
  priority: oneOf(priorities),
  labels: {
    isValid: (value) => Array.isArray(value) && value.every((each) => isText(each) && each.trim() !== ""),
    expected: "a list of texts that are not empty",
  },
  owner: { isValid: isText, expected: "a text" },
  discovered_from: { isValid: isText, expected: "the id of a task of the spec" },
};

/**
 * Other fields that accept only the values that `schema` lists. Validation has separate codes for these
 * fields.
 */
const listedFields: Readonly<Record<string, PlanningField>> = {
  task_category: oneOf(taskCategories),
  verification_type: oneOf(verificationTypes),
  complexity: oneOf(levels),
};

/** Throws for a field with an invalid value. The value null is valid, because it removes the field. */
export function requirePlanning(values: Values, path = ""): void {
  for (const [name, { isValid, expected }] of Object.entries({ ...planningFields, ...listedFields })) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null || isValid(value)) continue;
    const constraint = typeof expected === "string" ? "type" : "enum";
    throw validationError({ field: `${path}${name}`, constraint, received: value, expected });
  }
}

/** Throws if the task in `discovered_from` does not exist. */
export function requireDiscoveredFrom(spec: SpecModel, id: unknown, field = "discovered_from"): void {
  if (typeof id !== "string") return;
  const node = spec.node(id);
  if (node !== undefined && isTaskNode(node)) return;
  const near = nearestIds(spec.orderedNodes.filter(isTaskNode), id);
  const why = node === undefined ? "the spec has no such task" : `it is a ${node.type}, not a task`;
  throw validationError(
    { field, constraint: "reference", received: id, expected: "the id of a task of the spec" },
    {
      message: `Cannot take ${field} "${id}": ${why}`,
      remediation:
        near.length === 0
          ? "Give the id of the task during which the work was found; {1} lists them."
          : `Give the id of the task during which the work was found, such as ${near.join(", ")}; {1} lists them.`,
      remedy: { tool: "task", action: "query", arguments: { spec_id: spec.id } },
    },
  );
}
