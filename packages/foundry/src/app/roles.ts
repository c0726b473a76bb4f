import type { Tool } from "@foundry-mcp/toolkit";
import type { toolNames } from "../config/settings.ts";

/**
 * The roles of callers, lowest first. An observer may read, an author may work on specs, and a maintainer may do
 * everything.
 */
export const roles = ["observer", "author", "maintainer"] as const;

/** The lowest role that may change specs. */
export const writerRole = "author" satisfies (typeof roles)[number];

/**
 * The changes that an author may make. All of them are in one table, so that the table shows what a grant allows. A
 * change that is not listed requires a maintainer. Parameters named `force` also require a maintainer: see
 * `requireForce`.
 */
export const authorActions: Readonly<Record<(typeof toolNames)[number], readonly string[]>> = {
  spec: ["fix", "import", "undo"],
  task: [
    ...["next", "prepare-batch", "claim", "heartbeat", "release"],
    ...["start", "complete", "block", "unblock", "update-status", "reopen", "batch"],
    ...["add", "remove", "move", "update", "add-dependency", "remove-dependency"],
  ],
  authoring: [
    ...["spec-create", "spec-update", "phase-add", "phase-add-bulk", "phase-update", "phase-move"],
    ...["phase-remove", "note-add", "find-replace", "apply"],
  ],
  lifecycle: ["activate", "complete"],
  journal: ["add"],
  // `execute` is left out, because an author may write the command that `execute` would run.
  verification: ["add"],
  review: ["add"],
  // Authors may not call `research`, because a research run fetches from the network and may use the key of a model.
  research: [],
};

/** Assigns the roles of the table to the actions of a tool. */
export function withRoles(tool: Tool, authored: readonly string[]): Tool {
  const actions = [...tool.actions].map(
    ([name, action]) => [name, authored.includes(name) ? { ...action, role: "author" } : action] as const,
  );
  return { ...tool, actions: new Map(actions) };
}
