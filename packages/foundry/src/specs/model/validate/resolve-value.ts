import { type VerificationType, verificationTypes } from "../known-values.ts";
import { nearestName } from "../nearest-name.ts";
import { type NodeStatus, type NodeType, nodeStatuses, nodeTypes, rootId } from "../spec-document.ts";

const statusSynonyms: Readonly<Record<string, NodeStatus>> = {
  todo: "pending",
  open: "pending",
  new: "pending",
  planned: "pending",
  not_started: "pending",
  incomplete: "pending",
  uncompleted: "pending",
  inprogress: "in_progress",
  started: "in_progress",
  active: "in_progress",
  doing: "in_progress",
  wip: "in_progress",
  done: "completed",
  complete: "completed",
  finished: "completed",
  closed: "completed",
  archived: "completed",
  waiting: "blocked",
  on_hold: "blocked",
};

const typeSynonyms: Readonly<Record<string, NodeType>> = {
  root: "spec",
  spec_root: "spec",
  specification: "spec",
  phases: "phase",
  groups: "group",
  tasks: "task",
  sub_task: "subtask",
  subtasks: "subtask",
  verification: "verify",
  verifications: "verify",
  validate: "verify",
  validation: "verify",
};

const verificationSynonyms: Readonly<Record<string, VerificationType>> = {
  auto: "run-tests",
  automated: "run-tests",
  automatic: "run-tests",
  test: "run-tests",
  tests: "run-tests",
  run_test: "run-tests",
  run_tests: "run-tests",
  fidelity_review: "fidelity",
  review: "fidelity",
};

/** Returns the status that a value means; undefined if the value is neither a status nor a synonym. */
export function resolveStatus(value: unknown): NodeStatus | undefined {
  return resolveSynonym(value, nodeStatuses, statusSynonyms);
}

/** Returns the node type that a value means; undefined if the value is neither a type nor a synonym. */
export function resolveType(value: unknown): NodeType | undefined {
  return resolveSynonym(value, nodeTypes, typeSynonyms);
}

/**
 * Returns the verification type that a value means; undefined if the value is neither a type nor a synonym.
 */
export function resolveVerificationType(value: unknown): VerificationType | undefined {
  return resolveSynonym(value, verificationTypes, verificationSynonyms);
}

/**
 * Returns the type that the value of a node means. If the value is unknown, the type is derived from the id.
 */
export function resolveNodeType(id: string, value: unknown): NodeType {
  return resolveType(value) ?? typeOfId(id);
}

function typeOfId(id: string): NodeType {
  if (id === rootId) return "spec";
  const [prefix] = id.split("-", 1);
  if (prefix === "phase") return /^phase-\d+$/.test(id) ? "phase" : "group";
  return prefix === "verify" || prefix === "research" || prefix === "subtask" ? prefix : "task";
}

function resolveSynonym<T extends string>(
  value: unknown,
  known: readonly T[],
  synonyms: Readonly<Record<string, T>>,
): T | undefined {
  // A long value cannot be a synonym, and comparing it would take time.
  if (typeof value !== "string" || value.length > 40) return undefined;
  const word = value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  const same = known.find((each) => each.replaceAll("-", "_") === word);
  // Only one typing error is allowed, because a value with more differences may be another word:
  // "uncompleted" is not "completed".
  return same ?? (Object.hasOwn(synonyms, word) ? synonyms[word] : nearestName(value, known, 1));
}

/**
 * Returns a suggestion that lists the allowed values, such as "Use one of low, medium, high." If a likely
 * value is known, the suggestion begins with a question such as "Did you mean low?" If `meant` is not given,
 * the nearest allowed value is suggested.
 */
export function useOneOf(found: unknown, names: readonly string[], meant?: string): string {
  const guess = meant ?? (typeof found === "string" ? nearestName(found, names) : undefined);
  return `${guess === undefined ? "" : `Did you mean ${guess}? `}Use one of ${names.join(", ")}.`;
}
