import { setTimeout as pause } from "node:timers/promises";
import { isContractError } from "@foundry-mcp/contract";
import {
  type FileContent,
  type FileStat,
  type FileSystem,
  isSameFile,
  toFileError,
  unlessMissing,
} from "@foundry-mcp/toolkit/files";
import { SpecModel } from "../../model/spec-model.ts";
import { maxBytes } from "../../model/text-limits.ts";
import { SpecCache } from "../spec-cache.ts";
import { mayBeHalfWritten, parseSpecFile, requireSize, SpecFile } from "../spec-file.ts";
import { type SpecProblem, type SpecSnapshot, type SpecSummary, toSummary } from "../spec-store.ts";
import { specNotFound, specTrashed, withRetryAdvice } from "../store-failures.ts";
import type { Sidecar } from "./sidecar.ts";
import { type IndexFolder, SpecIndexFiles } from "./spec-index-files.ts";
import {
  findLocation,
  findTrashed,
  listLocations,
  listTrashed,
  type SpecLocation,
} from "./spec-locations.ts";
import {
  currentCounter,
  findOverwritten,
  type LoadedSpec,
  type SpecState,
  toFileVersion,
} from "./spec-state.ts";
import { type SummariesFile, SummaryCache } from "./summary-cache.ts";

/** The number of attempts to read a file that changes during the read. */
const maxAttempts = 5;
/**
 * The age in milliseconds up to which a file may still be incomplete, because some programs rewrite files in
 * place.
 */
const writingMs = 2_000;

/** The files in which a process stores the facts that it has learnt about specs, for later processes. */
export interface LearntFiles {
  readonly summaries?: SummariesFile | undefined;
  readonly indexes?: IndexFolder | undefined;
}

/** Reads specs from their files. A cached spec is valid while its file is unchanged. */
export class SpecReader {
  readonly #fs: FileSystem;
  readonly #root: string;
  readonly #sidecar: Sidecar;
  readonly #cache = new SpecCache<LoadedSpec>(({ file }) => file.bytes.length);
  readonly #summaries: SummaryCache;
  readonly #indexes: SpecIndexFiles;

  constructor(fs: FileSystem, root: string, sidecar: Sidecar, learnt: LearntFiles = {}) {
    this.#fs = fs;
    this.#root = root;
    this.#sidecar = sidecar;
    this.#summaries = new SummaryCache(fs, learnt.summaries);
    this.#indexes = new SpecIndexFiles(learnt.indexes);
  }

  async list() {
    const specs: SpecSummary[] = [];
    const problems: SpecProblem[] = [];
    const seen = new Map<string, string>();
    const { locations, misnamed } = await listLocations(this.#fs, this.#root);
    for (const path of misnamed)
      problems.push({ path, message: `Cannot use ${path}: its name cannot be the id of a spec` });
    const known = await this.#summaries.find(locations);
    for (const [index, location] of locations.entries()) {
      const first = seen.get(location.id);
      if (first !== undefined) {
        problems.push({ path: location.path, message: `Its id is taken by ${first}` });
        continue;
      }
      seen.set(location.id, location.path);
      try {
        const summary = known[index] ?? (await this.#summarize(location));
        if (summary !== undefined) specs.push(summary);
      } catch (thrown) {
        if (!isContractError(thrown)) throw thrown;
        const { line, column } = (thrown.options.details ?? {}) as { line?: number; column?: number };
        problems.push({ path: location.path, message: thrown.message, line, column });
      }
    }
    await this.#summaries.save();
    return { specs, problems };
  }

  /** Loads a spec. If the file is unchanged, the cached spec is returned. */
  async load(id: string): Promise<LoadedSpec> {
    for (let attempt = 1; ; attempt++) {
      const known = this.#cache.get(id);
      if (known !== undefined) {
        // If this check fails, the search for the file reports the error.
        const stat = await this.#fs.stat(known.location.file).catch(() => undefined);
        if (stat !== undefined && isSameFile(stat, known.stat)) return this.#cache.set(id, known);
        this.#cache.delete(id);
      }
      const location = await findLocation(this.#fs, this.#root, id);
      const isLast = attempt === maxAttempts;
      // Git removes a file before it writes another version of the file. Therefore, a spec that existed a
      // moment ago may reappear.
      if (location === undefined && (isLast || !(known !== undefined || (await this.#hasState(id)))))
        throw await this.#missing(id);
      const loaded = location && (await this.#readFile(location, isLast));
      if (loaded !== undefined) return loaded;
      if (isLast) throw await this.#missing(id);
      await pause(5 * 2 ** attempt);
    }
  }

  /**
   * True for a spec that existed before. A spec that was moved to the trash counts as missing, because it
   * does not reappear by itself.
   */
  async #hasState(id: string): Promise<boolean> {
    const state = await this.#sidecar.state(id);
    return state !== undefined && state.folder !== "trash";
  }

  async #missing(id: string): Promise<Error> {
    return (await findTrashed(this.#fs, this.#root, id)) === undefined ? specNotFound(id) : specTrashed(id);
  }

  /**
   * Loads a spec in the trash, even if its file cannot be parsed; undefined if the spec is not in the trash.
   */
  async loadTrashed(id: string): Promise<LoadedSpec | undefined> {
    const location = await findTrashed(this.#fs, this.#root, id);
    return location && this.#loadTrashedFile(location);
  }

  /** Loads all specs in the trash. */
  async listTrashed(): Promise<readonly LoadedSpec[]> {
    const loaded: LoadedSpec[] = [];
    for (const location of await listTrashed(this.#fs, this.#root)) {
      const found = await this.#loadTrashedFile(location);
      if (found !== undefined) loaded.push(found);
    }
    return loaded;
  }

  async #loadTrashedFile(location: SpecLocation): Promise<LoadedSpec | undefined> {
    const read = await unlessMissing(this.#readBytes(location));
    if (read === undefined) return undefined;
    return toLoaded(
      location,
      read.stat,
      toAnyFile(read.bytes, location),
      await this.#sidecar.state(location.id),
    );
  }

  /**
   * Loads a spec like `load`, but accepts a file that cannot be parsed, so that the history of the spec stays
   * accessible.
   */
  async loadAny(id: string): Promise<LoadedSpec> {
    try {
      return await this.load(id);
    } catch (thrown) {
      if (!isContractError(thrown) || !unreadable.has(thrown.code)) throw thrown;
      const location = await findLocation(this.#fs, this.#root, id);
      const read = location && (await unlessMissing(this.#readBytes(location)));
      if (location === undefined || read === undefined) throw thrown;
      const file = toUnparsedFile(read.bytes);
      return toLoaded(location, read.stat, file, await this.#sidecar.state(id));
    }
  }

  async readText(id: string): Promise<Uint8Array> {
    const location = await findLocation(this.#fs, this.#root, id);
    if (location === undefined) throw await this.#missing(id);
    try {
      return (await this.#readBytes(location)).bytes;
    } catch (err) {
      throw toFileError(err, `read the spec "${location.path}"`, location.path);
    }
  }

  /** Caches a spec and returns it. */
  async cache(loaded: LoadedSpec): Promise<LoadedSpec> {
    await this.#indexes.save(loaded);
    return this.#cache.set(loaded.location.id, loaded);
  }

  /** Removes a spec from the cache, because its file may have changed without a visible sign. */
  forget(id: string): void {
    this.#cache.delete(id);
  }

  /** Clears the caches. */
  clear(): void {
    this.#cache.clear();
    this.#summaries.clear();
  }

  /**
   * Reads a spec file. Returns undefined if the file must be read again, because it was replaced or moved
   * during the read, or may be incomplete.
   */
  async #readFile(location: SpecLocation, isLast = true): Promise<LoadedSpec | undefined> {
    let changedAt = 0;
    try {
      const read = await unlessMissing(this.#readBytes(location));
      if (!read?.isStable) return undefined;
      const { bytes, stat } = read;
      changedAt = stat.mtimeMs;
      const file = (await this.#indexes.find(location, read)) ?? parseSpecFile(bytes, location.path);
      return await this.cache(toLoaded(location, stat, file, await this.#sidecar.state(location.id)));
    } catch (err) {
      if (isContractError(err) && mayBeHalfWritten(err) && Date.now() - changedAt < writingMs) {
        if (!isLast) return undefined;
        throw withRetryAdvice(err);
      }
      throw toFileError(err, `read the spec "${location.path}"`, location.path);
    }
  }

  async #readBytes({ file, path }: SpecLocation): Promise<FileContent> {
    try {
      return await this.#fs.readFile(file, maxBytes);
    } catch (thrown) {
      if (!isContractError(thrown) || thrown.code !== "CONTENT_TOO_LARGE") throw thrown;
      const { bytes = 0 } = (thrown.options.details ?? {}) as { readonly bytes?: number };
      requireSize(bytes, path);
      throw thrown;
    }
  }

  async #summarize(location: SpecLocation): Promise<SpecSummary | undefined> {
    const known = this.#cache.get(location.id);
    const stat =
      known?.location.path === location.path
        ? await this.#fs.stat(location.file).catch(() => undefined)
        : undefined;
    const isCurrent = known !== undefined && stat !== undefined && isSameFile(stat, known.stat);
    const loaded = isCurrent ? known : await this.#readFile(location);
    if (loaded === undefined) return undefined;
    const summary = toSummary(loaded.snapshot);
    this.#summaries.set(loaded.stat, summary);
    return summary;
  }
}

/** The codes of a text that is no spec, or a spec beyond the limits. A file that is too large is not even read. */
const unreadable: ReadonlySet<string> = new Set(["INVALID_FORMAT", "CONTENT_TOO_LARGE"]);

function toUnparsedFile(bytes: Buffer): SpecFile {
  return new SpecFile(bytes, new SpecModel({ hierarchy: {} }));
}

/** Parses a spec file. A file that cannot be parsed counts as an empty spec. */
function toAnyFile(bytes: Buffer, { path }: SpecLocation): SpecFile {
  try {
    return parseSpecFile(bytes, path);
  } catch (thrown) {
    if (!isContractError(thrown) || !unreadable.has(thrown.code)) throw thrown;
    return toUnparsedFile(bytes);
  }
}

/** Returns the spec that a file and its state describe. */
function toLoaded(
  location: SpecLocation,
  stat: FileStat,
  file: SpecFile,
  state: SpecState | undefined,
): LoadedSpec {
  const version = toFileVersion({ location, file, stat });
  const counter = currentCounter(state, version);
  const snapshot = toSnapshot(location, file, `${counter}-${file.hash}`);
  const overwritten = findOverwritten(state, version);
  return {
    ...{ location, stat, file, counter },
    snapshot: overwritten === undefined ? snapshot : { ...snapshot, overwritten },
  };
}

/** Returns the snapshot of a spec file at a revision. */
export function toSnapshot(
  { id, folder, path }: SpecLocation,
  { model, bytes }: SpecFile,
  revision: string,
): SpecSnapshot {
  return { id, folder, path, revision, model, bytes: bytes.length };
}
