import { join, resolve } from "node:path";
import type { Settings } from "../config/settings.ts";
import { createDigestPool } from "../documents/digest-pool.ts";
import { createDocumentFinder } from "../documents/find-document.ts";
import { listDocuments } from "../documents/list-documents.ts";
import type { ModelOptions } from "../model/model-options.ts";
import { writeSummary } from "../model/write-summary.ts";
import { createResearchDesk } from "../research/research-desk.ts";
import type { FolderIndex } from "../research/search/folder-index.ts";
import { createHttpSearch } from "../research/search/http-search.ts";
import type { SearchProvider } from "../research/search/search-provider.ts";
import { expandSource } from "../tools/research/expand-source.ts";
import { keepText } from "../tools/research/keep-text.ts";
import { createResearchCalls, type ResearchCalls } from "../tools/research/research-calls.ts";
import { createFolderSearch } from "./folder-search.ts";
import type { ResearchPlace } from "./open-research.ts";

/** Builds everything that research takes, by the settings. */
export async function buildResearch({
  load,
  archive,
  cwd,
  isBrief,
  ...workspace
}: ResearchPlace): Promise<ResearchCalls & { close(): Promise<void> }> {
  const { values } = await load();
  // A server reads the files of its workspace; a command reads what the person who typed it may read.
  const folder = isBrief ? cwd : await workspace.folder();
  const place = { folder, isConfined: !isBrief };
  const find = createDocumentFinder({ ...place, archive });
  const pool = createDigestPool();
  const model = toModel(values);
  const web =
    values.search_url === undefined
      ? undefined
      : createHttpSearch({ name: "web", baseUrl: values.search_url });
  const folderSearches = new Map<string, FolderIndex>();
  const provider = (name: string, within = "."): SearchProvider | undefined => {
    if (name === "web") return web;
    if (name !== "folder") return undefined;
    const known = folderSearches.get(within) ?? createFolderSearch({ ...place, path: within, pool });
    folderSearches.set(within, known);
    return known;
  };
  const providers = ["folder", ...(web === undefined ? [] : ["web"])];
  const list = (path: string) => listDocuments(path, place);
  const expand: Parameters<typeof createResearchCalls>[0]["expand"] = (source, question, signal) =>
    expandSource(source, question, { list, provider, providers }, signal);
  const openDesk = async () =>
    createResearchDesk({
      folder: await toRunsFolder(values, workspace, cwd),
      expand,
      find,
      digest: (document, options, signal) => pool.digest(document, options, signal),
      keep: (document, caller) => keepText(archive, document, { ...caller, action: "start" }),
      ...(model === undefined
        ? {}
        : { summarize: (question, claims, signal) => writeSummary(model, { question, claims }, signal) }),
    });
  let opened: ReturnType<typeof openDesk> | undefined;
  const desk = () => {
    opened ??= openDesk();
    // Where there is no place for researches yet, there may be one the next time.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  return {
    ...createResearchCalls({ expand, find, pool, archive, model, desk, isBrief }),
    async close() {
      await (await opened)?.close();
      await pool.close();
    },
  };
}

function toModel({ model, model_base_url, model_timeout }: Settings): ModelOptions | undefined {
  if (model === undefined) return undefined;
  const key = process.env["FOUNDRY_MODEL_KEY"];
  return {
    baseUrl: model_base_url,
    model,
    timeoutMs: model_timeout * 1_000,
    ...(key === undefined || key === "" ? {} : { key }),
  };
}

/** Beside the specs where they are files; else beside whatever the process was started in. */
async function toRunsFolder(
  { research_dir: named }: Settings,
  workspace: Pick<ResearchPlace, "place">,
  cwd: string,
): Promise<string> {
  if (named !== undefined) return named;
  const place = await workspace.place();
  return "specs_dir" in place
    ? join(place.specs_dir, ".foundry", "research")
    : resolve(cwd, ".foundry", "research");
}
