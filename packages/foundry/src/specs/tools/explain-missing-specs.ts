import { ContractError, isContractError, isRecord, validationError } from "@foundry-mcp/contract";
import { editDistance, isQuotable, quoteName } from "@foundry-mcp/contract/input";
import type { Action, Tool } from "@foundry-mcp/toolkit";
import { toSlug } from "../model/changes/create-spec.ts";
import { specIdPattern } from "../model/known-values.ts";
import type { Workspace } from "./workspace.ts";

type Run = (input: never, context: never) => unknown;

/**
 * Makes a tool explain ids of specs that do not exist. If an id does not have the form of a spec id, the
 * error is about invalid input. For any other id, the error lists the nearest ids in the workspace.
 */
export function explainMissingSpecs(workspace: Workspace, tool: Tool): Tool {
  const actions = [...tool.actions].map(
    ([name, action]) => [name, { ...action, run: explain(workspace, action.run as Run) } as Action] as const,
  );
  return { ...tool, actions: new Map(actions) };
}

function explain(workspace: Workspace, run: Run): Run {
  return async (input: { readonly spec_id?: unknown }, context: never) => {
    try {
      return await run(input as never, context);
    } catch (error) {
      const { spec_id: id } = input;
      if (!isContractError(error) || error.code !== "SPEC_NOT_FOUND" || typeof id !== "string") throw error;
      // The error for a spec in the trash already explains how to restore the spec.
      if (isRecord(error.options.details) && error.options.details["in_trash"] === true) throw error;
      throw specIdPattern.test(id) ? await withNearest(workspace, id, error) : await illFormed(workspace, id);
    }
  };
}

/** Creates the error for a text that no spec can have as its id; it may be the title of a spec. */
async function illFormed(workspace: Workspace, id: string): Promise<ContractError> {
  const near = nearestSpecIds(toSlug(id), await listIds(workspace));
  const advice =
    near.length === 0
      ? "Give the id of a spec: lower-case letters, digits and hyphens, such as tide-tables-2026-01-31-001."
      : `Did you mean ${near.join(", ")}?`;
  return validationError(
    { field: "spec_id", constraint: "pattern", pattern: specIdPattern.source, received: id },
    {
      message: isQuotable(id)
        ? `Cannot find a spec with the id ${quoteName(id)}: an id has only lower-case letters, digits and hyphens`
        : "Cannot find the spec: its id has only lower-case letters, digits and hyphens",
      remediation: `${advice} {1} lists them.`,
      remedy: { tool: "spec", action: "list" },
    },
  );
}

async function withNearest(workspace: Workspace, id: string, error: ContractError): Promise<ContractError> {
  const near = nearestSpecIds(id, await listIds(workspace));
  if (near.length === 0) return error;
  const { details, ...options } = error.options;
  return new ContractError(error.message, {
    ...options,
    remediation: `Did you mean ${near.join(", ")}? {1} lists all specs.`,
    remedy: { tool: "spec", action: "list" },
    details: { ...details, nearest: near },
  });
}

/**
 * Returns the ids of all specs. The result is empty if the specs cannot be listed, for example in a database
 * that is not set up.
 */
async function listIds(workspace: Workspace): Promise<readonly string[]> {
  try {
    const { specs } = await (await workspace.store()).list();
    return specs.map((spec) => spec.id);
  } catch (error) {
    if (!isContractError(error)) throw error;
    return [];
  }
}

const maxNear = 3;

/**
 * Returns up to three similar ids. Ids that contain the given text come first, then ids that differ from the
 * text in a few letters.
 */
export function nearestSpecIds(written: string, ids: readonly string[]): readonly string[] {
  const most = Math.max(2, Math.floor(written.length / 3));
  const ranked = ids.flatMap((id) => {
    if (written.length > 2 && id.startsWith(written)) return [{ id, rank: 0 }];
    if (written.length > 2 && id.includes(written)) return [{ id, rank: 1 }];
    // People often remember an id without its date and number.
    const bare = id.replace(/-\d{4}-\d\d-\d\d(-\d+)?$/, "");
    const far = Math.min(editDistance(written, id, most), editDistance(written, bare, most));
    return far <= most && far < written.length ? [{ id, rank: 1 + far }] : [];
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maxNear)
    .map(({ id }) => id);
}
