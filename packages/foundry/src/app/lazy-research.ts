import { join, resolve } from "node:path";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { Settings } from "../config/settings.ts";
import type { RunsFolder } from "../research/runs/run-folder.ts";
import type { Research, ResearchOptions } from "../research/tool/research.ts";
import { toJobsRoot } from "./job-place.ts";
import { createLazyResource } from "./lazy-resource.ts";
import { requireSpecsRoot } from "./workspace-location.ts";

/** The parts of a workspace that research needs. */
export interface ResearchDeps {
  readonly load: () => Promise<LoadedSettings>;
  readonly archive: ContentArchive;
  /**
   * Returns the folder from which servers read documents, or undefined if no folder may be read. Throws if there is
   * no workspace.
   */
  readonly documentsFolder: () => Promise<string | undefined>;
  /** Returns the folder that links of the documents folder must not lead out of, with its own links resolved. */
  readonly documentsBoundary: () => Promise<string | undefined>;
  /** The folder against which relative paths are resolved. */
  readonly cwd: string;
  /**
   * True for a process that runs one command. A process of one command may read every file that its user may read.
   */
  readonly isOneShot: boolean;
}

/** Research that is loaded and opened on first use, because its code is large. */
export interface LazyResearch {
  open(): Promise<Research>;
  close(): Promise<void>;
}

/** Creates research for a workspace, configured according to its settings. */
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
  // Research runs in the workspace may have been delivered with its files, so the person who resumes a run may not
  // have chosen its sources.
  const isForeign = isOneShot && values.research_dir === undefined;
  return {
    documents: isOneShot
      ? { folder: cwd, isConfined: false }
      : {
          ...confined,
          folder: await workspace.documentsFolder(),
          boundary: await workspace.documentsBoundary(),
        },
    resumedDocuments: isForeign ? await toResumed(workspace, confined) : undefined,
    archive,
    model: toModel(values),
    searchUrl: values.search_url,
    runsFolder: async () =>
      values.research_dir === undefined ? defaultRunsFolder(workspace) : { folder: values.research_dir },
    isOneShot,
  };
}

/**
 * Returns the file access of a resumed run. The access is the same as on a server, but relative paths are resolved
 * from the current folder.
 */
async function toResumed(
  { cwd, documentsFolder }: ResearchDeps,
  confined: Pick<ResearchOptions["documents"], "isConfined" | "privateFolders">,
): Promise<ResearchOptions["documents"]> {
  // Without a workspace, there are no runs. A digest does not need a workspace.
  const root = await documentsFolder().catch(() => undefined);
  return { ...confined, root, folder: root === undefined ? undefined : cwd };
}

/** Returns the folders that contain data of all callers, which no caller may read as documents. */
function privateFolders(settings: Settings): readonly string[] {
  const { archive_dir, research_dir } = settings;
  return [archive_dir, research_dir, toJobsRoot(settings)].filter((each) => each !== undefined);
}

/**
 * Returns the model of the settings. The key of the model is read only from the environment, so that no settings file
 * contains the key.
 */
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

async function defaultRunsFolder({ load, cwd }: ResearchDeps): Promise<RunsFolder> {
  const loaded = await load();
  const { root: within, boundary } =
    loaded.values.store === "file"
      ? requireSpecsRoot(loaded, cwd)
      : { root: resolve(cwd), boundary: undefined };
  return { folder: join(within, ".foundry", "research"), within, boundary };
}
