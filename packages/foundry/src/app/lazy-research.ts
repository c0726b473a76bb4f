import { join, resolve } from "node:path";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { Settings } from "../config/settings.ts";
import type { RunsFolder } from "../research/runs/run-folder.ts";
import type { Research, ResearchOptions } from "../research/tool/research.ts";
import { createLazyResource } from "./lazy-resource.ts";
import type { WorkspaceLocation } from "./workspace-location.ts";

/** The parts of a workspace that research needs. */
export interface ResearchDeps {
  readonly load: () => Promise<LoadedSettings>;
  readonly archive: ContentArchive;
  /** The folder whose documents servers read; undefined where none may be read. Throws where there is no workspace. */
  readonly documentsFolder: () => Promise<string | undefined>;
  readonly location: () => Promise<WorkspaceLocation>;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** True for a process that runs one command: it may read every file that its user may read. */
  readonly isOneShot: boolean;
}

/** Research that is loaded and opened at its first use, because its code is large. */
export interface LazyResearch {
  open(): Promise<Research>;
  close(): Promise<void>;
}

/** Creates research for a workspace, configured by its settings. */
export function createLazyResearch(workspace: ResearchDeps): LazyResearch {
  const research = createLazyResource(async () => {
    const { openResearch } = await import("../research/tool/research.ts");
    return openResearch(await toOptions(workspace));
  });
  return {
    open: () => research.get(),
    close: () => research.close(),
  };
}

async function toOptions(workspace: ResearchDeps): Promise<ResearchOptions> {
  const { load, archive, cwd, isOneShot } = workspace;
  const { values } = await load();
  const confined = { isConfined: true, privateFolders: privateFolders(values) };
  // Runs in the workspace came with its files, perhaps: the person who resumes one did not name its sources.
  const isForeign = isOneShot && values.research_dir === undefined;
  return {
    documents: isOneShot
      ? { folder: cwd, isConfined: false }
      : { ...confined, folder: await workspace.documentsFolder() },
    resumedDocuments: isForeign ? await toResumed(workspace, confined) : undefined,
    archive,
    model: toModel(values),
    searchUrl: values.search_url,
    runsFolder: async () =>
      values.research_dir === undefined ? defaultRunsFolder(workspace) : { folder: values.research_dir },
    isOneShot,
  };
}

/** The access of a resumed run: as that of a server, with paths that start from the current folder. */
async function toResumed(
  { cwd, documentsFolder }: ResearchDeps,
  confined: Pick<ResearchOptions["documents"], "isConfined" | "privateFolders">,
): Promise<ResearchOptions["documents"]> {
  // Without a workspace there are no runs, and digests need none.
  const root = await documentsFolder().catch(() => undefined);
  return { ...confined, root, folder: root === undefined ? undefined : cwd };
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

async function defaultRunsFolder({ location, cwd }: ResearchDeps): Promise<RunsFolder> {
  const found = await location();
  const within = "specs_dir" in found ? found.specs_dir : resolve(cwd);
  return { folder: join(within, ".foundry", "research"), within };
}
