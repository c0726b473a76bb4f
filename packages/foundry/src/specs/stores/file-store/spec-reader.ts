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
import { specNotFound } from "../store-failures.ts";
import type { Sidecar } from "./sidecar.ts";
import { findLocation, listLocations, type SpecLocation } from "./spec-locations.ts";
import { currentCounter, type LoadedSpec, toFileVersion } from "./spec-state.ts";
import { type SummariesFile, SummaryCache } from "./summary-cache.ts";

/** The number of attempts to read a file that changes while it is read. */
const maxAttempts = 5;

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
        const stat = await unlessMissing(this.#fs.stat(known.location.file));
        if (stat !== undefined && isSameFile(stat, known.stat)) return this.#cache.set(id, known);
        this.#cache.delete(id);
      }
      const location = await findLocation(this.#fs, this.#root, id);
      if (location === undefined) throw specNotFound(id);
      const loaded = await this.#readFile(location);
      if (loaded !== undefined) return loaded;
      if (attempt === maxAttempts) throw specNotFound(id);
    }
  }

  /** As `load`, but also for a file that cannot be parsed, so that its history stays accessible. */
  async loadAny(id: string): Promise<LoadedSpec> {
    try {
      return await this.load(id);
    } catch (thrown) {
      if (!isContractError(thrown) || thrown.code !== "INVALID_FORMAT") throw thrown;
      const location = await findLocation(this.#fs, this.#root, id);
      if (location === undefined) throw thrown;
      const { bytes, stat } = await this.#readBytes(location);
      const file = new SpecFile(bytes, new SpecModel({ hierarchy: {} }));
      const counter = currentCounter(await this.#sidecar.state(id), toFileVersion({ location, file, stat }));
      return { location, stat, file, snapshot: toSnapshot(location, file, counter), counter };
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

  /** Caches the content of a file. */
  cache(location: SpecLocation, stat: FileStat, file: SpecFile, counter: number): LoadedSpec {
    const snapshot = toSnapshot(location, file, counter);
    return this.#cache.set(location.id, { location, stat, file, snapshot, counter });
  }

  /** Clears the caches. */
  clear(): void {
    this.#cache.clear();
    this.#summaries.clear();
  }

  /** Undefined if the file was replaced or moved while it was read. */
  async #readFile(location: SpecLocation): Promise<LoadedSpec | undefined> {
    try {
      const read = await unlessMissing(this.#readBytes(location));
      if (!read?.isStable) return undefined;
      const { bytes, stat } = read;
      const file = parseSpecFile(bytes, location.path);
      const state = await this.#sidecar.state(location.id);
      return this.cache(location, stat, file, currentCounter(state, toFileVersion({ location, file, stat })));
    } catch (err) {
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
      known?.location.path === location.path ? await unlessMissing(this.#fs.stat(location.file)) : undefined;
    const isCurrent = known !== undefined && stat !== undefined && isSameFile(stat, known.stat);
    const loaded = isCurrent ? known : await this.#readFile(location);
    if (loaded === undefined) return undefined;
    const summary = toSummary(loaded.snapshot);
    this.#summaries.set(loaded.stat, summary);
    return summary;
  }
}

function toSnapshot(
  { id, folder, path }: SpecLocation,
  { hash, model, bytes }: SpecFile,
  counter: number,
): SpecSnapshot {
  return { id, folder, path, revision: `${counter}-${hash}`, model, bytes: bytes.length };
}
