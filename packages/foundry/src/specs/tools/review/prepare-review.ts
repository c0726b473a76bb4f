import type { Context } from "@foundry-mcp/toolkit";
import { requireNode } from "../../model/find-node.ts";
import { reviewedWork, reviewHash } from "../../model/reviews/reviewed-work.ts";
import { rootId } from "../../model/spec-document.ts";
import { type ChangesRequest, type FileChanges, readChanges } from "../../review/changed-files.ts";
import { DiffUnavailable } from "../../review/diff-unavailable.ts";
import { readPlan } from "../../review/read-plan.ts";
import { readSpec } from "../overwritten.ts";
import type { Workspace } from "../workspace.ts";
import { toFilesSince, toReviewBundle } from "./review-bundle.ts";

/** The dependencies of reviews. */
export interface ReviewDeps {
  /** The folder whose files are read; undefined if no files may be read. */
  readonly folder: () => Promise<string | undefined>;
  /** The folder of the specs; undefined if the specs are in a database. */
  readonly specsFolder: () => Promise<string | undefined>;
}

/** Collects all data that a reviewer of a spec, a phase or a task needs. */
export async function prepareReview(
  workspace: Workspace,
  deps: ReviewDeps,
  { spec_id, task_id }: { readonly spec_id: string; readonly task_id?: string | undefined },
  context: Context,
): Promise<object> {
  const { model, folder: status, revision } = await readSpec(workspace, spec_id, context);
  const id = requireNode(model, task_id ?? rootId).id;
  const { plan_path: path } = model.metadata;
  const folder = await deps.folder();
  const { paths, since } = toFilesSince(reviewedWork(model, id));
  return {
    spec_id,
    task_id: id === rootId ? null : id,
    spec_status: status,
    work_hash: reviewHash(model, id),
    revision,
    ...toReviewBundle(model, id),
    plan: typeof path === "string" && path !== "" ? await findPlan(deps, folder, path) : null,
    diff: { since: since ?? null, ...(await toDiff(folder, { paths, since, signal: context.signal })) },
  };
}

async function findPlan(deps: ReviewDeps, folder: string | undefined, path: string) {
  if (folder === undefined) return { path, unavailable: "no folder may be read" };
  return readPlan(folder, [folder, (await deps.specsFolder()) ?? folder], path);
}

async function toDiff(
  folder: string | undefined,
  request: Omit<ChangesRequest, "folder">,
): Promise<FileChanges | { readonly unavailable: string }> {
  if (folder === undefined) return { unavailable: "No diff: no folder may be read" };
  if (request.paths.length === 0) return { unavailable: "No diff: none of the tasks has a file_path" };
  try {
    return await readChanges({ ...request, folder });
  } catch (error) {
    if (error instanceof DiffUnavailable) return { unavailable: `No diff: ${error.message}` };
    throw error;
  }
}
