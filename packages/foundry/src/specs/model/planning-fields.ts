import { type JsonValue, validationError } from "@foundry-mcp/contract";
import { isTaskNode, nearestIds } from "./find-node.ts";
import { priorities } from "./known-values.ts";
import type { SpecModel } from "./spec-model.ts";

type Values = Readonly<Record<string, JsonValue | undefined>>;

/** The form of a field that plans the work on a spec or a task. */
interface PlanningField {
  readonly isValid: (value: unknown) => boolean;
  readonly expected: string | readonly string[];
}

const isText = (value: unknown) => typeof value === "string";

/** The fields that plan the work, as changes take them and validation checks them. */
export const planningFields: Readonly<
  Record<"priority" | "labels" | "owner" | "discovered_from", PlanningField>
> = {
  priority: {
    isValid: (value) => (priorities as readonly unknown[]).includes(value),
    expected: priorities,
  },
  labels: {
    isValid: (value) => Array.isArray(value) && value.every((each) => isText(each) && each.trim() !== ""),
    expected: "a list of texts that are not empty",
  },
  owner: { isValid: isText, expected: "a text" },
  discovered_from: { isValid: isText, expected: "the id of a task of the spec" },
};

/** Throws for a planning field with a value that it cannot have; null removes a field. */
export function requirePlanning(values: Values, path = ""): void {
  for (const [name, { isValid, expected }] of Object.entries(planningFields)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null || isValid(value)) continue;
    const constraint = name === "priority" ? "enum" : "type";
    throw validationError({ field: `${path}${name}`, constraint, received: value, expected });
  }
}

/** Throws if the task during which another one was found does not exist. */
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
