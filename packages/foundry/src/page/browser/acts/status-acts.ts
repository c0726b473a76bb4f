import type { NodeStatus } from "../../../specs/model/spec-document.ts";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { nodeTransitions } from "../../../specs/model/transitions.ts";
import { quoted } from "../parts/quoted.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import type { Act } from "./act.ts";

/** An act that changes the status of a task. */
export type StatusAct = "start" | "complete" | "block" | "unblock" | "reopen" | "stop";

/** The words with which the page describes an act. */
export interface StatusActText {
  readonly verb: string;
  readonly done: string;
  readonly key: string;
  readonly to: NodeStatus;
  /** The field of the text that the act takes, and whether it must be given. */
  readonly field:
    | { readonly name: "note" | "reason"; readonly label: string; readonly isRequired: boolean }
    | undefined;
}

/** The acts that change the status of a task. */
export const statusActs: Readonly<Record<StatusAct, StatusActText>> = {
  start: { verb: "Start", done: "Started", key: "s", to: "in_progress", field: undefined },
  complete: {
    verb: "Complete",
    done: "Completed",
    key: "c",
    to: "completed",
    field: { name: "note", label: "What was done", isRequired: false },
  },
  block: {
    verb: "Block",
    done: "Blocked",
    key: "b",
    to: "blocked",
    field: { name: "reason", label: "What it waits for", isRequired: true },
  },
  unblock: {
    verb: "Unblock",
    done: "Unblocked",
    key: "u",
    to: "pending",
    field: { name: "note", label: "How it was resolved", isRequired: false },
  },
  reopen: {
    verb: "Reopen",
    done: "Reopened",
    key: "r",
    to: "pending",
    field: { name: "reason", label: "Why it is opened again", isRequired: true },
  },
  stop: { verb: "Stop", done: "Stopped", key: "p", to: "pending", field: undefined },
};

/** The act that the page offers for an action of the table of transitions. */
const actOf: Readonly<Record<string, StatusAct>> = {
  start: "start",
  complete: "complete",
  block: "block",
  unblock: "unblock",
  reopen: "reopen",
  "update-status": "stop",
};

/** Returns the acts that a task takes in its status, in the order in which they are offered. */
export function actsOf({ model }: LoadedSpec, node: SpecNode): readonly StatusAct[] {
  if (!model.isLeaf(node)) return [];
  const actions = new Set<string>(Object.values(nodeTransitions[node.status]));
  return [...actions].flatMap((action) => actOf[action] ?? []);
}

/** Returns the act that brings a task to a status; undefined if there is none. */
export function actTo(spec: LoadedSpec, node: SpecNode, to: NodeStatus): StatusAct | undefined {
  if (!spec.model.isLeaf(node)) return undefined;
  const targets: Readonly<Partial<Record<NodeStatus, string>>> = nodeTransitions[node.status];
  const action = targets[to];
  return action === undefined ? undefined : actOf[action];
}

/** Creates the call of an act. */
export function toStatusAct(
  base: LoadedSpec,
  node: SpecNode,
  name: StatusAct,
  text = "",
  to?: NodeStatus,
): Act {
  const { verb, done, field, to: usual } = statusActs[name];
  const status = to ?? usual;
  const action = name === "stop" ? "update-status" : name;
  const withStatus = name === "stop" || (name === "unblock" && status !== "pending");
  return {
    tool: "task",
    args: {
      action,
      task_id: node.id,
      ...(withStatus ? { status } : {}),
      ...(field === undefined || text === "" ? {} : { [field.name]: text }),
    },
    base,
    about: [node.id],
    title: `${verb} ${quoted(node.title)}`,
    sets: { status },
    done: `${done} ${quoted(node.title)}`,
  };
}
