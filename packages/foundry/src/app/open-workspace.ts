import { dirname, join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { type ContentArchive, createFileArchive, createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { createWorkspaceFiles, findKind, syncCalls } from "@foundry-mcp/toolkit/files";
import type { PostgresCounts } from "@foundry-mcp/toolkit/limits";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { Settings } from "../config/settings.ts";
import { toCacheFolder } from "../config/user-folders.ts";
import { isNotSetUp } from "../postgres/not-set-up.ts";
import { openFileStore } from "../specs/stores/file-store/file-store.ts";
import { createSpecFiles } from "../specs/stores/file-store/spec-files.ts";
import type { SummariesFile } from "../specs/stores/file-store/summary-cache.ts";
import { createMemoryStore } from "../specs/stores/memory-store.ts";
import type { SpecStore } from "../specs/stores/spec-store.ts";
import type { ReviewDeps } from "../specs/tools/review/prepare-review.ts";
import type { ChangePurpose, StorePurpose, Workspace } from "../specs/tools/workspace.ts";
import { findDocumentsFolder } from "./documents-folder.ts";
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
  /** The archive of content that answers leave out; for `read` it creates no store. */
  archive(purpose: StorePurpose): ContentArchive;
  /** The table of rate limits that servers share; undefined where each server counts for itself. */
  readonly rateLimits?: PostgresCounts | undefined;
  close(): Promise<void>;
}

/** A workspace whose parts are opened when they are first needed. */
export interface OpenWorkspace extends Workspace {
  storage(purpose?: StorePurpose): Promise<WorkspaceStorage>;
  /** The archive of content that answers leave out. */
  readonly archive: ContentArchive;
  readonly research: LazyResearch;
  /** The folder that verifications run in. */
  folder(): Promise<string>;
  /** The files that reviews may show: they are named by specs, so that a command reads no more than a server. */
  readonly reviewing: ReviewDeps;
  location(): Promise<WorkspaceLocation>;
  /** The folder that the program was started in. */
  readonly cwd: string;
  close(): Promise<void>;
}

/** How a workspace is used. */
export interface WorkspaceOptions {
  /** True for a process that runs one command and exits. @default false */
  readonly isOneShot?: boolean;
  /** True for a process that sets its store up whatever it is asked, as `serve` does. @default false */
  readonly setsUp?: boolean;
  /** Called when a spec has changed, once the specs were first needed. */
  readonly onChange?: (id: string) => void;
}

/** Opens the workspace that the settings name; nothing is read before it is needed. */
export function openWorkspace(
  load: () => Promise<LoadedSettings>,
  cwd: string,
  { isOneShot = false, setsUp = false, onChange }: WorkspaceOptions = {},
): OpenWorkspace {
  const lazyStorage = createLazyResource(async (purpose: StorePurpose) => {
    const opened = await openStorage(await load(), cwd, isOneShot, purpose);
    if (onChange !== undefined) opened.store.watch(onChange);
    return opened;
  });
  const storage = (purpose: StorePurpose = "read") => lazyStorage.get(setsUp ? "write" : purpose);
  let withoutWorkspace: ContentArchive | undefined;
  const archiveFor = async (purpose: StorePurpose): Promise<ContentArchive> => {
    try {
      return (await storage(purpose)).archive(purpose);
    } catch (thrown) {
      if (purpose === "write" || !isContractError(thrown) || thrown.code !== "NOT_FOUND") throw thrown;
      // There is no workspace, and the tools that need none may answer at length.
      withoutWorkspace ??= createMemoryArchive();
      return withoutWorkspace;
    }
  };
  const archive = createLazyArchive(archiveFor, "read");
  const location = async () => locateWorkspace(await load(), cwd);
  const folder = async () => {
    const found = await location();
    return "specs_dir" in found ? dirname(found.specs_dir) : cwd;
  };
  const specsFolder = async () => {
    const found = await location();
    return "specs_dir" in found ? found.specs_dir : undefined;
  };
  const documentsFolder = async () => findDocumentsFolder(await location(), await load(), cwd);
  const research = createLazyResearch({
    ...{ load, documentsFolder, location, cwd, isOneShot },
    // What a digest keeps is asked for, unlike the rest of an answer that was too long.
    archive: createLazyArchive(archiveFor, "write"),
  });
  const store = async (purpose?: StorePurpose | ChangePurpose): Promise<SpecStore> => {
    if (purpose !== "dry_run") return (await storage(purpose)).store;
    return storage("read").then(
      (opened) => opened.store,
      (thrown: unknown) => {
        // The change itself would set the database up.
        if (isNotSetUp(thrown)) return createMemoryStore();
        throw thrown;
      },
    );
  };
  return {
    storage,
    store,
    archive,
    research,
    reviewing: { folder: documentsFolder, specsFolder },
    folder,
    location,
    cwd,
    async close() {
      await research.close();
      await lazyStorage.close();
    },
  };
}

async function openStorage(
  loaded: LoadedSettings,
  cwd: string,
  isOneShot: boolean,
  purpose: StorePurpose,
): Promise<WorkspaceStorage> {
  if (loaded.values.store === "file")
    return openFileStorage(requireSpecsFolder(loaded, cwd), loaded.values, isOneShot);
  const { openPostgres } = await import("./open-postgres.ts");
  return openPostgres({ ...toDatabaseOptions(loaded, { isOneShot }), purpose });
}

function openFileStorage(root: string, values: Settings, isOneShot: boolean): WorkspaceStorage {
  // Nothing else runs in a one-shot process, so blocking calls are the fastest.
  const oneShot = isOneShot
    ? { fs: createSpecFiles(root, syncCalls), summariesFile: toSummariesFile(root) }
    : {};
  const store = openFileStore({ root, keepRevisions: values.history, ...oneShot });
  let inMemory: ContentArchive | undefined;
  // One for all calls: it sweeps once a minute, and a link that comes later in the place of its folder is refused.
  let inFiles: ContentArchive | undefined;
  return {
    store,
    // Created on access: most commands never need it.
    archive(purpose) {
      const { archive_dir: named } = values;
      if (named === undefined && purpose !== "write" && findKind(root) === undefined) {
        // The rest of an answer is no reason to create a specs folder.
        inMemory ??= createMemoryArchive();
        return inMemory;
      }
      const own = { folder: join(root, ".foundry", "archive"), within: root };
      inFiles ??= createFileArchive(named === undefined ? own : { folder: named });
      return inFiles;
    },
    async close() {
      await inFiles?.close();
      await store.close();
    },
  };
}

/** Returns the cache file of a specs folder; undefined where its path is too long for a file name, or without a home. */
function toSummariesFile(root: string): SummariesFile | undefined {
  const name = `specs-${encodeURIComponent(root)}.json`;
  const folder = toCacheFolder(process.env);
  if (folder === undefined || name.length > 180) return undefined;
  const files = createWorkspaceFiles({
    root: folder,
    privateFolder: ".",
    isPersonal: true,
    calls: syncCalls,
  });
  return { path: join(folder, name), files };
}

/** An archive that is opened when it is needed; `putPurpose` says whether a put may set up the store that it is part of. */
function createLazyArchive(
  open: (purpose: StorePurpose) => Promise<ContentArchive>,
  putPurpose: StorePurpose,
): ContentArchive {
  return {
    put: async (content) => (await open(putPurpose)).put(content),
    find: async (principal, key) => (await open("read")).find(principal, key),
    read: async (entry) => (await open("read")).read(entry),
    list: async (principal) => (await open("read")).list(principal),
    // The storage that it belongs to closes it.
    close: async () => {},
  };
}
