import { join, resolve } from "node:path";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { Settings } from "../config/settings.ts";
import type { Research, ResearchOptions } from "../research/tool/research.ts";
import { openOnce } from "./lazy-resource.ts";
import type { WorkspacePlace } from "./workspace-place.ts";

/** What research needs of a workspace. */
export interface ResearchWorkspace {
  readonly load: () => Promise<LoadedSettings>;
  readonly archive: ContentArchive;
  /** The folder of the workspace; throws a ContractError where there is none. */
  readonly folder: () => Promise<string>;
  readonly place: () => Promise<WorkspacePlace>;
  /** Where relative paths begin. */
  readonly cwd: string;
  /** True for a single command, which may read every file that its user may read. */
  readonly isBrief: boolean;
}

/** Research that is loaded and opened at its first use, because its code is large. */
export interface LazyResearch {
  open(): Promise<Research>;
  close(): Promise<void>;
}

/** Creates research for a workspace, configured by its settings. */
export function createLazyResearch(workspace: ResearchWorkspace): LazyResearch {
  const research = openOnce(async () => {
    const { openResearch } = await import("../research/tool/research.ts");
    return openResearch(await toOptions(workspace));
  });
  return {
    open: () => research.get(),
    async close() {
      await (await research.opened)?.close();
    },
  };
}

async function toOptions(workspace: ResearchWorkspace): Promise<ResearchOptions> {
  const { load, archive, cwd, isBrief } = workspace;
  const { values } = await load();
  return {
    documents: isBrief
      ? { folder: cwd, isConfined: false }
      : { folder: await workspace.folder(), isConfined: true, withheld: privateFolders(values) },
    archive,
    model: toModel(values),
    searchUrl: values.search_url,
    runsFolder: async () => values.research_dir ?? defaultRunsFolder(workspace),
    isOneShot: isBrief,
  };
}

/** The folders with data of all callers, which no caller may read as documents. */
function privateFolders({ archive_dir, research_dir }: Settings): readonly string[] {
  return [archive_dir, research_dir].filter((each) => each !== undefined);
}

/** The key comes from the environment alone, so that it is in no settings file. */
function toModel({ model, model_base_url, model_timeout }: Settings): ResearchOptions["model"] {
  if (model === undefined) return undefined;
  const key = process.env["FOUNDRY_MODEL_KEY"];
  return {
    baseUrl: model_base_url,
    model,
    timeoutMs: model_timeout * 1_000,
    ...(key === undefined || key === "" ? {} : { key }),
  };
}

async function defaultRunsFolder({ place, cwd }: ResearchWorkspace): Promise<string> {
  const found = await place();
  return "specs_dir" in found
    ? join(found.specs_dir, ".foundry", "research")
    : resolve(cwd, ".foundry", "research");
}
