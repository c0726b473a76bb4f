import { createHash } from "node:crypto";
import { join } from "node:path";
import { resolveLinks } from "@foundry-mcp/toolkit/files";
import type { Settings } from "../config/settings.ts";
import { toStateFolder } from "../config/user-folders.ts";
import type { JobFolderOptions } from "../jobs/job-folder.ts";

/** Returns the folder with the jobs of all workspaces in files, or undefined if the user has no home folder. */
export function toJobsRoot({ jobs_dir }: Pick<Settings, "jobs_dir">): string | undefined {
  if (jobs_dir !== undefined) return jobs_dir;
  const state = toStateFolder(process.env);
  return state === undefined ? undefined : join(state, "jobs");
}

/**
 * Returns the folder with the jobs of one workspace. The folder is outside of the workspace, because a job names a
 * call and its caller, and the author of the files in a workspace may be unknown. The name of the folder is a hash of
 * the real path, so that every path to the same specs leads to the same jobs.
 */
export function toJobFolder(
  settings: Pick<Settings, "jobs_dir">,
  specsFolder: string,
): JobFolderOptions | undefined {
  const root = toJobsRoot(settings);
  if (root === undefined) return undefined;
  const real = resolveLinks(specsFolder) ?? specsFolder;
  return { root, name: createHash("sha256").update(real).digest("hex").slice(0, 32) };
}
