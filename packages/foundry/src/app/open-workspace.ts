import { dirname, join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { type ContentArchive, createFileArchive, createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { findKind, resolveLinks, syncCalls } from "@foundry-mcp/toolkit/files";
import { createMemoryJobStorage, type JobStorage, type JobStore } from "@foundry-mcp/toolkit/jobs";
import type { PostgresCounts } from "@foundry-mcp/toolkit/limits";
import type { SpecsRoot } from "../config/discover-specs.ts";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { Settings } from "../config/settings.ts";
import type { SharedCounts } from "../gateway/observe/shared-counts.ts";
import { isNotSetUp } from "../postgres/not-set-up.ts";
import { openFileStore } from "../specs/stores/file-store/file-store.ts";
import { createSpecFiles } from "../specs/stores/file-store/spec-files.ts";
import { createMemoryStore } from "../specs/stores/memory-store.ts";
import type { SpecStore } from "../specs/stores/spec-store.ts";
import type { ReviewDeps } from "../specs/tools/review/prepare-review.ts";
import type { ChangePurpose, StorePurpose, Workspace } from "../specs/tools/workspace.ts";
import { findDocumentsFolder } from "./documents-folder.ts";
import { toJobFolder } from "./job-place.ts";
import { createLazyResearch, type LazyResearch } from "./lazy-research.ts";
import { createLazyResource } from "./lazy-resource.ts";
import { toLearntFiles } from "./learnt-files.ts";
import { openJobs } from "./open-jobs.ts";
import {
  locateWorkspace,
  requireSpecsRoot,
  toDatabaseOptions,
  type WorkspaceLocation,
} from "./workspace-location.ts";

/** The opened stores of a workspace, in files or in a database. */
export interface WorkspaceStorage {
  readonly store: SpecStore;
  /** Returns the archive of content that answers leave out. For `read`, no store is created. */
  archive(purpose: StorePurpose): ContentArchive;
  /** Returns the storage of jobs. */
  jobs(): Promise<JobStorage>;
  /** The table of rate limits that servers share, or undefined if each server counts separately. */
  readonly rateLimits?: PostgresCounts | undefined;
  /** The counts of gateways that share a database, or undefined if each gateway counts for itself. */
  readonly callCounts?: SharedCounts | undefined;
  close(): Promise<void>;
}

/** A workspace whose parts are opened on first use. */
export interface OpenWorkspace extends Workspace {
  storage(purpose?: StorePurpose): Promise<WorkspaceStorage>;
  /** The archive of content that answers leave out. */
  readonly archive: ContentArchive;
  readonly research: LazyResearch;
  /** The jobs of the workspace. A job is a call that outlives the process that runs it. */
  readonly jobs: JobStore;
  /** Returns the folder in which verifications run. */
  folder(): Promise<string>;
  /**
   * The access to files in reviews. Specs name these files, so a command may not read more of them than a server.
   */
  readonly reviewing: ReviewDeps;
  location(): Promise<WorkspaceLocation>;
  /** The folder in which the program was started. */
  readonly cwd: string;
  close(): Promise<void>;
}

/** Options of opening a workspace. */
export interface WorkspaceOptions {
  /** True for a process that runs one command and exits. @default false */
  readonly isOneShot?: boolean;
  /** True for a process that always sets up its store, as `serve` does. @default false */
  readonly setsUp?: boolean;
  /** Called when a spec has changed. Changes are only reported after the specs were first used. */
  readonly onChange?: (id: string) => void;
}

/** Opens the workspace that the settings name. Nothing is read before it is needed. */
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
      // There is no workspace, but tools that need no workspace may give long answers.
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
  const documentsBoundary = async () => {
    const loaded = await load();
    if (loaded.values.store !== "file") return undefined;
    const { boundary } = requireSpecsRoot(loaded, cwd);
    return boundary && resolveLinks(boundary);
  };
  const research = createLazyResearch({
    ...{ load, documentsFolder, documentsBoundary, cwd, isOneShot },
    // A digest stores its text because the caller requested it, so this archive is opened for writing.
    archive: createLazyArchive(archiveFor, "write"),
  });
  const store = async (purpose?: StorePurpose | ChangePurpose): Promise<SpecStore> => {
    if (purpose !== "dry_run") return (await storage(purpose)).store;
    return storage("read").then(
      (opened) => opened.store,
      (thrown: unknown) => {
        // The change itself would set up the database, so a dry run starts with an empty store.
        if (isNotSetUp(thrown)) return createMemoryStore();
        throw thrown;
      },
    );
  };
  const jobs = openJobs({
    open: async (purpose) => (await storage(purpose)).jobs(),
    // A job stores its result even if the store is new, so this archive is opened for writing.
    archive: createLazyArchive(archiveFor, "write"),
  });
  return {
    storage,
    store,
    archive,
    research,
    jobs,
    reviewing: { folder: documentsFolder, specsFolder },
    folder,
    location,
    cwd,
    async close() {
      await research.close();
      await jobs.close();
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
    return openFileStorage(requireSpecsRoot(loaded, cwd), loaded.values, isOneShot);
  const { openPostgres } = await import("./open-postgres.ts");
  return openPostgres({ ...toDatabaseOptions(loaded, { isOneShot }), purpose });
}

function openFileStorage(
  { root, boundary }: SpecsRoot,
  values: Settings,
  isOneShot: boolean,
): WorkspaceStorage {
  // A one-shot process does nothing else concurrently, so blocking file calls are fastest.
  const fs = createSpecFiles(root, { boundary, calls: isOneShot ? syncCalls : undefined });
  const learnt = isOneShot ? toLearntFiles(root) : undefined;
  const store = openFileStore({ root, fs, learnt, keepRevisions: values.history });
  let jobs: Promise<JobStorage> | undefined;
  let inMemory: ContentArchive | undefined;
  // All calls share one archive. The archive sweeps once a minute, and refuses a link that later replaces its folder.
  let inFiles: ContentArchive | undefined;
  return {
    store,
    // The archive is created on access, because most commands never need an archive.
    archive(purpose) {
      const { archive_dir: named } = values;
      if (named === undefined && purpose !== "write" && findKind(root) === undefined) {
        // No specs folder is created only to store content that was left out of an answer.
        inMemory ??= createMemoryArchive();
        return inMemory;
      }
      const own = { folder: join(root, ".foundry", "archive"), within: root, boundary };
      inFiles ??= createFileArchive(named === undefined ? own : { folder: named });
      return inFiles;
    },
    jobs() {
      jobs ??= openFileJobs(root, values);
      return jobs;
    },
    async close() {
      await inFiles?.close();
      await store.close();
    },
  };
}

/**
 * Opens the jobs in files. The jobs are kept in memory if the user has no home folder and no setting names a folder.
 */
async function openFileJobs(root: string, values: Settings): Promise<JobStorage> {
  const place = toJobFolder(values, root);
  if (place === undefined) return createMemoryJobStorage();
  // The module is imported on demand, because most commands use no jobs.
  const { createFileJobStorage } = await import("../jobs/file-job-storage.ts");
  return createFileJobStorage(place);
}

/**
 * Creates an archive that is opened on first use. If `putPurpose` is `write`, a put may set up the store that
 * contains the archive.
 */
function createLazyArchive(
  open: (purpose: StorePurpose) => Promise<ContentArchive>,
  putPurpose: StorePurpose,
): ContentArchive {
  return {
    put: async (content) => (await open(putPurpose)).put(content),
    find: async (principal, key) => (await open("read")).find(principal, key),
    read: async (entry) => (await open("read")).read(entry),
    list: async (principal) => (await open("read")).list(principal),
    // The storage that contains the archive closes the archive.
    close: async () => {},
  };
}
