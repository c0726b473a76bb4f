import { dirname } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import { findUpwards } from "../config/find-upwards.ts";
import type { LoadedSettings } from "../config/load-settings.ts";
import { withoutPassword } from "../postgres/database-url.ts";
import type { SpecStore } from "../specs/stores/spec-store.ts";
import type { Workspace } from "../specs/tools/workspace.ts";
import { createLazyArchive } from "./lazy-archive.ts";
import { createLazyResearch, type LazyResearch } from "./lazy-research.ts";
import { openFileHome } from "./open-file-home.ts";
import { openOnce } from "./lazy-resource.ts";
import { toDatabaseOptions } from "./workspace-location.ts";
import type { WorkspaceHome } from "./workspace-home.ts";
import type { WorkspacePlace } from "./workspace-place.ts";

/** A workspace that can be closed. */
export interface OpenWorkspace extends Workspace {
  /** Where it keeps everything; opened when something first needs it. */
  home(): Promise<WorkspaceHome>;
  /** What answers leave out. */
  readonly archive: ContentArchive;
  /** Digests and researches. */
  readonly research: LazyResearch;
  /** The folder in which its programs are run. */
  folder(): Promise<string>;
  /** What may be told of where it is. */
  place(): Promise<WorkspacePlace>;
  close(): Promise<void>;
}

/** How a workspace is used. */
export interface WorkspaceOptions {
  /** For one command, while which nothing else waits. @default false */
  readonly isBrief?: boolean;
  /** Told when a spec has changed, once the specs were first needed. */
  readonly onChange?: (id: string) => void;
}

/** Opens the workspace that settings name; the specs are looked for when something first needs them. */
export function openWorkspace(
  load: () => Promise<LoadedSettings>,
  cwd: string,
  { isBrief = false, onChange }: WorkspaceOptions = {},
): OpenWorkspace {
  const opening = openOnce(async (): Promise<WorkspaceHome> => {
    const loaded = await load();
    const home =
      loaded.values.store === "file"
        ? openFileHome(requireSpecsFolder(loaded, cwd), loaded.values, isBrief)
        : await openDatabaseHome(loaded, isBrief);
    if (onChange !== undefined) home.store.watch(onChange);
    return home;
  });
  const home = () => opening.get();
  const findPlace = async (): Promise<WorkspacePlace> => {
    const loaded = await load();
    if (loaded.values.store === "file") return { specs_dir: requireSpecsFolder(loaded, cwd) };
    const { url, workspace } = toDatabaseOptions(loaded, isBrief);
    return { database: withoutPassword(url), workspace };
  };
  const archive = createLazyArchive(async () => (await home()).archive);
  const folder = async () => {
    const place = await findPlace();
    return "specs_dir" in place ? dirname(place.specs_dir) : cwd;
  };
  const research = createLazyResearch({ load, archive, folder, place: findPlace, cwd, isBrief });
  return {
    home,
    store: async (): Promise<SpecStore> => (await home()).store,
    archive,
    research,
    folder,
    place: findPlace,
    async close() {
      await research.close();
      await (await opening.opened)?.close();
    },
  };
}

/** The specs folder; throws a ContractError where there is none. */
export function requireSpecsFolder({ values: { specs_dir: named } }: LoadedSettings, cwd: string): string {
  const folder = named ?? findUpwards(cwd, "specs", "folder");
  if (folder !== undefined) return folder;
  throw new ContractError("There are no specs here: no folder called specs is in this folder or above it", {
    errorCode: "NOT_FOUND",
    remediation:
      "Run foundry-cli init to make a workspace, or name the folder with --specs-dir or FOUNDRY_SPECS_DIR.",
    details: { resource_type: "workspace", resource_id: "specs" },
  });
}

async function openDatabaseHome(loaded: LoadedSettings, isBrief: boolean): Promise<WorkspaceHome> {
  const { openPostgres } = await import("./open-postgres.ts");
  return openPostgres(toDatabaseOptions(loaded, isBrief));
}
