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
import { parseSpecFile, requireSize, SpecFile } from "../spec-file.ts";
import { type SpecProblem, type SpecSnapshot, type SpecSummary, toSummary } from "../spec-store.ts";
import { specNotFound, withRetryAdvice } from "../store-failures.ts";
import type { Sidecar } from "./sidecar.ts";
import { findLocation, listLocations, type SpecLocation } from "./spec-locations.ts";
import {
  currentCounter,
  findOverwritten,
  type LoadedSpec,
  type SpecState,
  toFileVersion,
} from "./spec-state.ts";
import { type SummariesFile, SummaryCache } from "./summary-cache.ts";

/** The number of attempts to read a file that changes while it is read. */
const maxAttempts = 5;
/** A file that was written this shortly ago may be written still: some programs rewrite files in place. */
const writingMs = 2_000;

/** Reads specs from their files, with a cache that is valid while the file is unchanged. */
export class SpecReader {
  readonly #fs: FileSystem;
  readonly #root: string;
  readonly #sidecar: Sidecar;
  readonly #cache = new SpecCache<LoadedSpec>(({ file }) => file.bytes.length);
  readonly #summaries: SummaryCache;

  constructor(fs: FileSystem, root: string, sidecar: Sidecar, summariesFile?: SummariesFile) {
    this.#fs = fs;
    this.#root = root;
    this.#sidecar = sidecar;
    this.#summaries = new SummaryCache(fs, summariesFile);
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

  /** Loads a spec, from the cache if its file is unchanged. */
  async load(id: string): Promise<LoadedSpec> {
    for (let attempt = 1; ; attempt++) {
      const known = this.#cache.get(id);
      if (known !== undefined) {
        // An error is reported when the file is looked for.
        const stat = await this.#fs.stat(known.location.file).catch(() => undefined);
        if (stat !== undefined && isSameFile(stat, known.stat)) return this.#cache.set(id, known);
        this.#cache.delete(id);
      }
      const location = await findLocation(this.#fs, this.#root, id);
      const isLast = attempt === maxAttempts;
      // Git removes a file before it writes the other version of it: a spec that was here a moment ago may come back.
      if (location === undefined && (isLast || !(known !== undefined || (await this.#hasState(id)))))
        throw specNotFound(id);
      const loaded = location && (await this.#readFile(location, isLast));
      if (loaded !== undefined) return loaded;
      if (isLast) throw specNotFound(id);
      await pause(5 * 2 ** attempt);
    }
  }

  async #hasState(id: string): Promise<boolean> {
    return (await this.#sidecar.state(id)) !== undefined;
  }

  /** As `load`, but also for a file that cannot be parsed, so that its history stays accessible. */
  async loadAny(id: string): Promise<LoadedSpec> {
    try {
      return await this.load(id);
    } catch (thrown) {
      if (!isContractError(thrown) || thrown.code !== "INVALID_FORMAT") throw thrown;
      const location = await findLocation(this.#fs, this.#root, id);
      const read = location && (await unlessMissing(this.#readBytes(location)));
      if (location === undefined || read === undefined) throw thrown;
      const file = new SpecFile(read.bytes, new SpecModel({ hierarchy: {} }));
      return toLoaded(location, read.stat, file, await this.#sidecar.state(id));
    }
  }

  async readText(id: string): Promise<Uint8Array> {
    const location = await findLocation(this.#fs, this.#root, id);
    if (location === undefined) throw specNotFound(id);
    try {
      return (await this.#readBytes(location)).bytes;
    } catch (err) {
      throw toFileError(err, `read the spec "${location.path}"`, location.path);
    }
  }

  /** Caches a spec and returns it. */
  cache(loaded: LoadedSpec): LoadedSpec {
    return this.#cache.set(loaded.location.id, loaded);
  }

  /** Forgets a spec whose file may have changed unseen. */
  forget(id: string): void {
    this.#cache.delete(id);
  }

  /** Clears the caches. */
  clear(): void {
    this.#cache.clear();
    this.#summaries.clear();
  }

  /** Undefined if the file was replaced, moved or perhaps half written while it was read, and is to be read again. */
  async #readFile(location: SpecLocation, isLast = true): Promise<LoadedSpec | undefined> {
    let changedAt = 0;
    try {
      const read = await unlessMissing(this.#readBytes(location));
      if (!read?.isStable) return undefined;
      const { bytes, stat } = read;
      changedAt = stat.mtimeMs;
      const file = parseSpecFile(bytes, location.path);
      return this.cache(toLoaded(location, stat, file, await this.#sidecar.state(location.id)));
    } catch (err) {
      if (isContractError(err) && err.code === "INVALID_FORMAT" && Date.now() - changedAt < writingMs) {
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

/** A spec as its file and its state tell it. */
function toLoaded(
  location: SpecLocation,
  stat: FileStat,
  file: SpecFile,
  state: SpecState | undefined,
): LoadedSpec {
  const version = toFileVersion({ location, file, stat });
  const counter = currentCounter(state, version);
  const snapshot = toSnapshot(location, file, counter);
  const overwritten = findOverwritten(state, version);
  return {
    ...{ location, stat, file, counter },
    snapshot: overwritten === undefined ? snapshot : { ...snapshot, overwritten },
  };
}

/** The snapshot of a spec file at a revision. */
export function toSnapshot(
  { id, folder, path }: SpecLocation,
  { hash, model, bytes }: SpecFile,
  counter: number,
): SpecSnapshot {
  return { id, folder, path, revision: `${counter}-${hash}`, model, bytes: bytes.length };
}
