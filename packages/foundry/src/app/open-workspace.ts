import { dirname, join } from "node:path";
import { type ContentArchive, createFileArchive } from "@foundry-mcp/toolkit/archive";
import type { PostgresCounts } from "@foundry-mcp/toolkit/limits";
import { toCacheFolder } from "../config/cache-folder.ts";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { Settings } from "../config/settings.ts";
import { syncFileSystem } from "../files/durable/sync-file-system.ts";
import { openFileStore } from "../specs/stores/file-store/file-store.ts";
import type { SpecStore } from "../specs/stores/spec-store.ts";
import type { Workspace } from "../specs/tools/workspace.ts";
import { createLazyResearch, type LazyResearch } from "./lazy-research.ts";
import { createLazyResource } from "./lazy-resource.ts";
import {
  locateWorkspace,
  requireSpecsFolder,
  toDatabaseOptions,
  type WorkspaceLocation,
} from "./workspace-location.ts";

/** The opened stores of a workspace, in files or in a database. */
export interface WorkspaceStorage {
  readonly store: SpecStore;
  /** The archive of content that answers leave out. */
  readonly archive: ContentArchive;
  /** The table of rate limits that servers share; undefined where each server counts for itself. */
  readonly rateLimits?: PostgresCounts | undefined;
  close(): Promise<void>;
}

/** A workspace whose parts are opened when they are first needed. */
export interface OpenWorkspace extends Workspace {
  storage(): Promise<WorkspaceStorage>;
  /** The archive of content that answers leave out. */
  readonly archive: ContentArchive;
  readonly research: LazyResearch;
  /** The folder that verifications run in. */
  folder(): Promise<string>;
  location(): Promise<WorkspaceLocation>;
  close(): Promise<void>;
}

/** How a workspace is used. */
export interface WorkspaceOptions {
  /** True for a process that runs one command and exits. @default false */
  readonly isOneShot?: boolean;
  /** Called when a spec has changed, once the specs were first needed. */
  readonly onChange?: (id: string) => void;
}

/** Opens the workspace that the settings name; nothing is read before it is needed. */
export function openWorkspace(
  load: () => Promise<LoadedSettings>,
  cwd: string,
  { isOneShot = false, onChange }: WorkspaceOptions = {},
): OpenWorkspace {
  const storage = createLazyResource(async () => {
    const opened = await openStorage(await load(), cwd, isOneShot);
    if (onChange !== undefined) opened.store.watch(onChange);
    return opened;
  });
  const archive = createLazyArchive(async () => (await storage.get()).archive);
  const location = async () => locateWorkspace(await load(), cwd);
  const folder = async () => {
    const found = await location();
    return "specs_dir" in found ? dirname(found.specs_dir) : cwd;
  };
  const research = createLazyResearch({ load, archive, folder, location, cwd, isOneShot });
  return {
    storage: () => storage.get(),
    store: async () => (await storage.get()).store,
    archive,
    research,
    folder,
    location,
    async close() {
      await research.close();
      await storage.close();
    },
  };
}

async function openStorage(
  loaded: LoadedSettings,
  cwd: string,
  isOneShot: boolean,
): Promise<WorkspaceStorage> {
  if (loaded.values.store === "file")
    return openFileStorage(requireSpecsFolder(loaded, cwd), loaded.values, isOneShot);
  const { openPostgres } = await import("./open-postgres.ts");
  return openPostgres(toDatabaseOptions(loaded, isOneShot));
}

function openFileStorage(
  root: string,
  { history: keepRevisions, archive_dir: archiveFolder }: Settings,
  isOneShot: boolean,
): WorkspaceStorage {
  // Nothing else runs in a one-shot process, so blocking calls are the fastest.
  const oneShot = isOneShot ? { fs: syncFileSystem, summariesFile: toSummariesFile(root) } : {};
  const store = openFileStore({ root, keepRevisions, ...oneShot });
  return {
    store,
    // Created on access: most commands never need it.
    get archive() {
      return createFileArchive({ folder: archiveFolder ?? join(root, ".foundry", "archive") });
    },
    close: () => store.close(),
  };
}

/** Returns the cache file of a specs folder; undefined where its path is too long for a file name. */
function toSummariesFile(root: string): string | undefined {
  const name = `specs-${encodeURIComponent(root)}.json`;
  return name.length > 180 ? undefined : join(toCacheFolder(process.env), name);
}

function createLazyArchive(open: () => Promise<ContentArchive>): ContentArchive {
  return {
    put: async (content) => (await open()).put(content),
    find: async (principal, key) => (await open()).find(principal, key),
    read: async (entry) => (await open()).read(entry),
    list: async (principal) => (await open()).list(principal),
    // The storage that it belongs to closes it.
    close: async () => {},
  };
}
