import { syncCalls } from "@foundry-mcp/toolkit/files";
import type { SpecFolder } from "../specs/model/spec-document.ts";
import { createSpecFiles } from "../specs/stores/file-store/spec-files.ts";
import { listLocations } from "../specs/stores/file-store/spec-locations.ts";
import type { SpecReader } from "../specs/stores/spec-store.ts";
import type { OpenWorkspace } from "./open-workspace.ts";

/** The id of a spec and its folder. */
export interface ListedSpecId {
  readonly id: string;
  readonly folder: SpecFolder;
}

/** The part of a workspace from which the ids of specs are listed. */
export interface IdWorkspace extends Pick<OpenWorkspace, "location"> {
  store(): Promise<Pick<SpecReader, "list" | "read" | "history" | "trash">>;
}

/** Lists the ids of all specs. If the specs are files, only the file names are read. */
export async function listSpecIds(workspace: IdWorkspace): Promise<readonly ListedSpecId[]> {
  const location = await workspace.location();
  if (!("specs_dir" in location)) return (await (await workspace.store()).list()).specs;
  const { specs_dir: root } = location;
  return (await listLocations(createSpecFiles(root, { calls: syncCalls }), root)).locations;
}
