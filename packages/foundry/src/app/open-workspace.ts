import { join } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { toCacheFolder } from "../config/cache-folder.ts";
import { findUpwards } from "../config/find-upwards.ts";
import type { Settings } from "../config/settings.ts";
import { syncFileSystem } from "../stores/durable/sync-file-system.ts";
import { openFileStore } from "../stores/file-store/file-store.ts";
import type { SpecStore } from "../stores/spec-store.ts";
import type { Workspace } from "../tools/workspace.ts";

/** A workspace that can be closed. */
export interface OpenWorkspace extends Workspace {
  /** The specs folder; throws a ContractError where there is none. */
  specsFolder(): Promise<string>;
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
  settings: () => Promise<Settings>,
  cwd: string,
  { isBrief = false, onChange }: WorkspaceOptions = {},
): OpenWorkspace {
  let opened: Promise<SpecStore> | undefined;
  const specsFolder = async () => {
    const { specs_dir: named } = await settings();
    const folder = named ?? findUpwards(cwd, "specs", "folder");
    if (folder === undefined) throw noSpecs();
    return folder;
  };
  const open = async () => {
    const root = await specsFolder();
    const { history: keepRevisions } = await settings();
    const brief = isBrief ? { fs: syncFileSystem, summariesFile: toSummariesFile(root) } : {};
    const store = openFileStore({ root, keepRevisions, ...brief });
    if (onChange !== undefined) store.watch(onChange);
    return store;
  };
  return {
    specsFolder,
    store() {
      opened ??= open();
      // What could not be found may be there the next time.
      opened.catch(() => {
        opened = undefined;
      });
      return opened;
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

/** A file for every specs folder; a path that is too long for a name goes without. */
function toSummariesFile(root: string): string | undefined {
  const name = `specs-${encodeURIComponent(root)}.json`;
  return name.length > 180 ? undefined : join(toCacheFolder(process.env), name);
}

function noSpecs(): ContractError {
  return new ContractError("There are no specs here: no folder called specs is in this folder or above it", {
    errorCode: "NOT_FOUND",
    remediation:
      "Run foundry-cli init to make a workspace, or name the folder with --specs-dir or FOUNDRY_SPECS_DIR.",
    details: { resource_type: "workspace", resource_id: "specs" },
  });
}
