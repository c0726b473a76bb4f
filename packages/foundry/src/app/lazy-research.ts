import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { Researching } from "../research/tool/research.ts";
import { openOnce } from "./open-once.ts";
import type { WorkspacePlace } from "./workspace-place.ts";

/** How research is used. */
export interface ResearchPlace {
  readonly load: () => Promise<LoadedSettings>;
  readonly archive: ContentArchive;
  /** The folder of the workspace; throws a ContractError where there is none. */
  readonly folder: () => Promise<string>;
  readonly place: () => Promise<WorkspacePlace>;
  /** Where relative paths begin. */
  readonly cwd: string;
  /** For one command, whose caller may read whatever the person may. */
  readonly isBrief: boolean;
}

/** Research that can be closed. */
export interface OpenResearch extends Researching {
  close(): Promise<void>;
}

/** Opens research when it is first called for: what it takes is large. */
export function openResearch(place: ResearchPlace): OpenResearch {
  const calls = openOnce(async () => {
    const { buildResearch } = await import("./build-research.ts");
    return buildResearch(place);
  });
  return {
    calls: () => calls.get(),
    async close() {
      await (await calls.opened)?.close();
    },
  };
}
