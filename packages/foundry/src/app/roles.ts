import type { Tool } from "@foundry-mcp/toolkit";
import type { toolNames } from "../config/settings.ts";

/** The roles of callers, lowest first: an observer reads, an author works on specs, a maintainer does everything. */
export const roles = ["observer", "author", "maintainer"] as const;

/**
 * The changes that an author may make. One table, so that a grant can be judged by reading it; a change that is not
 * in it needs a maintainer. Parameters called `force` need a maintainer too: see `requireForce`.
 */
export const authorActions: Readonly<Record<(typeof toolNames)[number], readonly string[]>> = {
  spec: ["fix", "import"],
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
  // Not `execute`: an author may write the command that it would run.
  verification: ["add"],
  // Nothing: a research fetches from the network, and may use the key of a model.
  research: [],
};

/** Gives the actions of a tool the role that the table says. */
export function withRoles(tool: Tool, authored: readonly string[]): Tool {
  const actions = [...tool.actions].map(
    ([name, action]) => [name, authored.includes(name) ? { ...action, role: "author" } : action] as const,
  );
  return { ...tool, actions: new Map(actions) };
}
