import type { UnknownRecord } from "@foundry-mcp/contract";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { quoted } from "../parts/quoted.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import type { Act } from "./act.ts";
import { runQuickAct } from "./run-act.ts";

/** Creates the act that changes fields of a task. */
export function toUpdate(base: LoadedSpec, node: SpecNode, fields: UnknownRecord): Act {
  return {
    tool: "task",
    args: { action: "update", task_id: node.id, ...fields },
    base,
    about: [node.id],
    title: `Edit ${quoted(node.title)}`,
    sets: fields,
    done: `Changed ${quoted(typeof fields["title"] === "string" ? fields["title"] : node.title)}`,
  };
}

/** Creates the act that moves a task to a place among the children of a node. */
export function toMove(base: LoadedSpec, node: SpecNode, parent: string, position?: number): Act {
  const target = base.model.node(parent);
  return {
    tool: "task",
    args: {
      action: "move",
      task_id: node.id,
      ...(parent === node.parent ? {} : { parent }),
      ...(position === undefined ? {} : { position }),
    },
    base,
    about: [node.id, parent],
    title: `Move ${quoted(node.title)}`,
    sets: parent === node.parent ? { position: position ?? "last" } : { parent },
    done:
      parent === node.parent
        ? `Moved ${quoted(node.title)}`
        : `Moved ${quoted(node.title)} to ${quoted(target?.title ?? parent)}`,
  };
}

/** Moves a task up or down among its siblings. */
export async function moveBy(base: LoadedSpec, node: SpecNode, by: -1 | 1): Promise<void> {
  const { parent } = node;
  if (parent === null) return;
  const siblings = base.model.node(parent)?.children ?? [];
  const position = siblings.indexOf(node.id) + by;
  if (position < 0 || position >= siblings.length) return;
  await runQuickAct(toMove(base, node, parent, position));
}

/** Creates the act that adds a dependency, or removes one. */
export function toDependency(
  base: LoadedSpec,
  node: SpecNode,
  targetId: string,
  change: "add" | "remove",
): Act {
  const target = base.model.node(targetId);
  const other = quoted(target?.title ?? targetId);
  return {
    tool: "task",
    args: { action: `${change}-dependency`, task_id: node.id, target_id: targetId },
    base,
    about: [node.id],
    title:
      change === "add"
        ? `Let ${quoted(node.title)} wait for ${other}`
        : `Remove a dependency of ${quoted(node.title)}`,
    sets: { "dependencies.blocked_by": change === "add" ? `with ${targetId}` : `without ${targetId}` },
    done:
      change === "add"
        ? `${quoted(node.title)} now waits for ${other}`
        : `${quoted(node.title)} no longer waits for ${other}`,
  };
}
