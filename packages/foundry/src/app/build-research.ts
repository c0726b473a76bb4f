import { join, resolve } from "node:path";
import type { Settings } from "../config/settings.ts";
import { createDigestPool } from "../research/documents/digest-pool.ts";
import { createDocumentFinder } from "../research/documents/find-document.ts";
import { listDocuments } from "../research/documents/list-documents.ts";
import { createResearchDesk } from "../research/runs/research-desk.ts";
import { expandSource } from "../research/tool/expand-source.ts";
import { keepText } from "../research/tool/text-archive.ts";
import { createResearchCalls, type ResearchCalls } from "../research/tool/research.ts";
import type { ResearchEngine } from "../research/tool/research-engine.ts";
import { openOnce } from "./open-once.ts";
import type { ResearchPlace } from "./lazy-research.ts";
import { createSearchProviders } from "./search-providers.ts";
import { toModel, toSummarizer } from "./to-model.ts";

/** Builds everything that research takes, by the settings. */
export async function buildResearch(
  workspace: ResearchPlace,
): Promise<ResearchCalls & { close(): Promise<void> }> {
  const { load, archive, cwd, isBrief } = workspace;
  const { values } = await load();
  // A server reads the files of its workspace; a command reads what the person who typed it may read.
  const place = isBrief
    ? { folder: cwd, isConfined: false }
    : { folder: await workspace.folder(), isConfined: true, withheld: withheldBy(values) };
  const find = createDocumentFinder({ ...place, archive });
  const pool = createDigestPool();
  const model = toModel(values);
  const sources = {
    list: (path: string) => listDocuments(path, place),
    ...createSearchProviders(place, pool, values.search_url),
  };
  const expand: ResearchEngine["expand"] = (source, question, signal) =>
    expandSource(source, question, sources, signal);
  const desk = openOnce(async () =>
    createResearchDesk({
      folder: values.research_dir ?? (await toRunsFolder(workspace)),
      expand,
      find,
      digest: (document, options, signal) => pool.digest(document, options, signal),
      keep: (document, { principal, requestId }) =>
        keepText(archive, document, { principal, requestId, action: "start" }),
      summarize: model === undefined ? undefined : toSummarizer(model),
    }),
  );
  return {
    ...createResearchCalls({ expand, find, pool, archive, model, desk: () => desk.get(), isBrief }),
    async close() {
      await (await desk.opened)?.close();
      await pool.close();
    },
  };
}

/** Beside the specs where they are files; else beside whatever the process was started in. */
async function toRunsFolder({ place, cwd }: ResearchPlace): Promise<string> {
  const found = await place();
  return "specs_dir" in found
    ? join(found.specs_dir, ".foundry", "research")
    : resolve(cwd, ".foundry", "research");
}

/** Folders that settings name for what belongs to all callers. */
function withheldBy({ archive_dir, research_dir }: Settings): readonly string[] {
  return [archive_dir, research_dir].filter((each) => each !== undefined);
}
