import { ContractError, isContractError, validationError } from "@foundry-mcp/contract";
import { editDistance } from "@foundry-mcp/contract/input";
import type { Action, Tool } from "@foundry-mcp/toolkit";
import { specIdPattern } from "../model/known-values.ts";
import type { Workspace } from "./workspace.ts";

type Run = (input: never, context: never) => unknown;

/**
 * Lets a tool explain ids of specs that do not exist: an id that no spec can have is invalid input, and any other gets the
 * nearest ids of the workspace.
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
      throw specIdPattern.test(id) ? await withNearest(workspace, id, error) : illFormed(id);
    }
  };
}

function illFormed(id: string): ContractError {
  return validationError(
    { field: "spec_id", constraint: "pattern", pattern: specIdPattern.source, received: id },
    {
      remediation:
        "Give the id of a spec: small letters, digits and hyphens, such as tide-tables-2026-01-31-001. {1} lists them.",
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

/** The ids of all specs; none where they cannot be listed, as in a database that is not set up. */
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

/** Returns up to three ids that are near: those that contain what was written, then those that differ in few letters. */
export function nearestSpecIds(written: string, ids: readonly string[]): readonly string[] {
  const most = Math.max(2, Math.floor(written.length / 3));
  const ranked = ids.flatMap((id) => {
    if (written.length > 2 && id.startsWith(written)) return [{ id, rank: 0 }];
    if (written.length > 2 && id.includes(written)) return [{ id, rank: 1 }];
    // An id without its date and number is often all that is remembered.
    const bare = id.replace(/-\d{4}-\d\d-\d\d(-\d+)?$/, "");
    const far = Math.min(editDistance(written, id, most), editDistance(written, bare, most));
    return far <= most && far < written.length ? [{ id, rank: 1 + far }] : [];
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maxNear)
    .map(({ id }) => id);
}
