import { isContractError } from "@foundry-mcp/contract";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import { toFileError } from "../../../files/durable/file-error.ts";
import { isSameFile } from "../../../files/durable/file-identity.ts";
import type { FileStat, FileSystem } from "../../../files/durable/file-system.ts";
import { SpecModel } from "../../model/spec-model.ts";
import { RecentSpecs } from "../recent-specs.ts";
import { parseSpecFile, requireSize, SpecFile } from "../spec-file.ts";
import type { SpecProblem, SpecSnapshot, SpecSummary } from "../spec-store.ts";
import { specNotFound } from "../store-failures.ts";
import { toSummary } from "../to-summary.ts";
import type { Beside } from "./beside.ts";
import type { Loaded } from "./loaded.ts";
import { counterOf, toStanding } from "./sidecar.ts";
import { findPlace, listPlaces, type SpecPlace } from "./spec-folders.ts";
import { Summaries } from "./summaries.ts";

/** A file that changes under our hands is read again so often. */
const mostTries = 5;

/** Reads specs from their files; what was read before is good as long as its file is the same. */
export class SpecReader {
  readonly #fs: FileSystem;
  readonly #root: string;
  readonly #beside: Beside;
  readonly #loaded = new RecentSpecs<Loaded>(({ file }) => file.bytes.length);
  readonly #summaries: Summaries;

  constructor(fs: FileSystem, root: string, beside: Beside, summariesFile?: string) {
    this.#fs = fs;
    this.#root = root;
    this.#beside = beside;
    this.#summaries = new Summaries(fs, summariesFile);
  }

  async list() {
    const specs: SpecSummary[] = [];
    const problems: SpecProblem[] = [];
    const seen = new Map<string, string>();
    const { places, misnamed } = await listPlaces(this.#fs, this.#root);
    for (const path of misnamed)
      problems.push({ path, message: `Cannot use ${path}: its name cannot be the id of a spec` });
    const known = await this.#summaries.find(places);
    for (const [index, place] of places.entries()) {
      const first = seen.get(place.id);
      if (first !== undefined) {
        problems.push({ path: place.path, message: `Its id is taken by ${first}` });
        continue;
      }
      seen.set(place.id, place.path);
      try {
        const summary = known[index] ?? (await this.#summarize(place));
        if (summary !== undefined) specs.push(summary);
      } catch (thrown) {
        if (!isContractError(thrown)) throw thrown;
        const { line, column } = (thrown.options.details ?? {}) as { line?: number; column?: number };
        problems.push({ path: place.path, message: thrown.message, line, column });
      }
    }
    await this.#summaries.save();
    return { specs, problems };
  }

  /** The spec as its file is now: what was read before is good as long as the file is the same. */
  async load(id: string): Promise<Loaded> {
    for (let tries = 1; ; tries++) {
      const known = this.#loaded.get(id);
      if (known !== undefined) {
        const stat = await unlessMissing(this.#fs.stat(known.place.file));
        if (stat !== undefined && isSameFile(stat, known.stat)) return this.#loaded.use(id, known);
        this.#loaded.delete(id);
      }
      const place = await findPlace(this.#fs, this.#root, id);
      if (place === undefined) throw specNotFound(id);
      const loaded = await this.#readFile(place);
      if (loaded !== undefined) return loaded;
      if (tries === mostTries) throw specNotFound(id);
    }
  }

  /** As `load`, but of a file that is no spec as well: its history tells what it was. */
  async loadAny(id: string): Promise<Loaded> {
    try {
      return await this.load(id);
    } catch (thrown) {
      if (!isContractError(thrown) || thrown.code !== "INVALID_FORMAT") throw thrown;
      const place = await findPlace(this.#fs, this.#root, id);
      if (place === undefined) throw thrown;
      const stat = await this.#fs.stat(place.file);
      const bytes = Buffer.from(await this.#fs.readFile(place.file));
      const file = new SpecFile(bytes, new SpecModel({ hierarchy: {} }));
      const counter = counterOf(await this.#beside.state(id), toStanding(place, file, stat));
      return { place, stat, file, snapshot: toSnapshot(place, file, counter), counter };
    }
  }

  async readText(id: string): Promise<Uint8Array> {
    const place = await findPlace(this.#fs, this.#root, id);
    if (place === undefined) throw specNotFound(id);
    try {
      requireSize((await this.#fs.stat(place.file)).size, place.path);
      return await this.#fs.readFile(place.file);
    } catch (err) {
      throw toFileError(err, `read the spec "${place.path}"`, place.path);
    }
  }

  /** Remembers what is in a file now. */
  keep(place: SpecPlace, stat: FileStat, file: SpecFile, counter: number): Loaded {
    const snapshot = toSnapshot(place, file, counter);
    return this.#loaded.use(place.id, { place, stat, file, snapshot, counter });
  }

  /** Forgets everything. */
  clear(): void {
    this.#loaded.clear();
    this.#summaries.clear();
  }

  /** Undefined where the file was replaced or moved while it was read. */
  async #readFile(place: SpecPlace): Promise<Loaded | undefined> {
    try {
      const stat = await unlessMissing(this.#fs.stat(place.file));
      if (stat === undefined) return undefined;
      if (stat.isDirectory()) throw Object.assign(new Error("EISDIR"), { code: "EISDIR" });
      requireSize(stat.size, place.path);
      const bytes = await unlessMissing(this.#fs.readFile(place.file));
      const again = await unlessMissing(this.#fs.stat(place.file));
      if (bytes === undefined || again === undefined || !isSameFile(stat, again)) return undefined;
      const file = parseSpecFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), place.path);
      const state = await this.#beside.state(place.id);
      return this.keep(place, stat, file, counterOf(state, toStanding(place, file, stat)));
    } catch (err) {
      throw toFileError(err, `read the spec "${place.path}"`, place.path);
    }
  }

  async #summarize(place: SpecPlace): Promise<SpecSummary | undefined> {
    const known = this.#loaded.get(place.id);
    const stat =
      known?.place.path === place.path ? await unlessMissing(this.#fs.stat(place.file)) : undefined;
    const isCurrent = known !== undefined && stat !== undefined && isSameFile(stat, known.stat);
    const loaded = isCurrent ? known : await this.#readFile(place);
    if (loaded === undefined) return undefined;
    const summary = toSummary(loaded.snapshot);
    this.#summaries.keep(loaded.stat, summary);
    return summary;
  }
}

function toSnapshot(
  { id, folder, path }: SpecPlace,
  { hash, model, bytes }: SpecFile,
  counter: number,
): SpecSnapshot {
  return { id, folder, path, revision: `${counter}-${hash}`, model, bytes: bytes.length };
}
