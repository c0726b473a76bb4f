import { type VerificationType, verificationTypes } from "../known-values.ts";
import { type NodeStatus, type NodeType, nodeStatuses, nodeTypes, rootId } from "../spec-document.ts";
import { nearestName } from "./nearest-name.ts";

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

/** The status that a word of another vocabulary means; undefined where it means none. */
export function resolveStatus(value: unknown): NodeStatus | undefined {
  return lookUp(value, nodeStatuses, statusSynonyms);
}

/** The type that a word of another vocabulary means; undefined where it means none. */
export function resolveType(value: unknown): NodeType | undefined {
  return lookUp(value, nodeTypes, typeSynonyms);
}

/** The way of verification that a word of another vocabulary means; undefined where it means none. */
export function resolveVerificationType(value: unknown): VerificationType | undefined {
  return lookUp(value, verificationTypes, verificationSynonyms);
}

/** The type of a node: as it says, as it probably means, or as its id suggests. */
export function resolveNodeType(id: string, value: unknown): NodeType {
  return resolveType(value) ?? typeOfId(id);
}

function typeOfId(id: string): NodeType {
  if (id === rootId) return "spec";
  const [prefix] = id.split("-", 1);
  if (prefix === "phase") return /^phase-\d+$/.test(id) ? "phase" : "group";
  return prefix === "verify" || prefix === "research" || prefix === "subtask" ? prefix : "task";
}

function lookUp<T extends string>(
  value: unknown,
  known: readonly T[],
  words: Readonly<Record<string, T>>,
): T | undefined {
  // What is far too long to be a word would only cost time.
  if (typeof value !== "string" || value.length > 40) return undefined;
  const word = value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  const same = known.find((each) => each.replaceAll("-", "_") === word);
  // More than one slip may be another word: what is uncompleted is not completed.
  return same ?? (Object.hasOwn(words, word) ? words[word] : nearestName(value, known, 1));
}
