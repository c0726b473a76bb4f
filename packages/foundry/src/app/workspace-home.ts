import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import type { PostgresCounts } from "@foundry-mcp/toolkit/limits";
import type { SpecStore } from "../specs/stores/spec-store.ts";

/** Where a workspace keeps what it keeps. */
export interface WorkspaceHome {
  readonly store: SpecStore;
  /** What answers leave out. */
  readonly archive: ContentArchive;
  /** Where calls are counted together with other servers; undefined where each server counts for itself. */
  readonly counts?: PostgresCounts | undefined;
  close(): Promise<void>;
}
