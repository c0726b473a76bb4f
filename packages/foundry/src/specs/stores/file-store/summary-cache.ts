import { dirname } from "node:path";
import { parseJsonText } from "@foundry-mcp/contract/input";
import { type FileIdentity, type FileSystem, isSameFile } from "@foundry-mcp/toolkit/files";
import { replaceFileUnsynced } from "../../../files/durable/write-file.ts";
import type { SpecSummary } from "../spec-store.ts";
import type { SpecLocation } from "./spec-locations.ts";

interface CachedSummary {
  readonly identity: FileIdentity;
  readonly summary: SpecSummary;
}

const format = 2;
/** A file that was read this shortly after a change may change again without a change of its times. */
const racyMs = 2_000;

/** The maximum size of a cache file; a larger one is written anew. */
const maxCacheBytes = 64 * 2 ** 20;

/** The file in which summaries are kept for later processes, and the operations of its folder. */
export interface SummariesFile {
  readonly path: string;
  readonly files: FileSystem;
}

/**
 * The summaries of specs, valid while their files are unchanged: cached in memory, and in a file for later processes if
 * one is configured.
 */
export class SummaryCache {
  readonly #fs: FileSystem;
  readonly #file: SummariesFile | undefined;
  readonly #known = new Map<string, CachedSummary>();
  #loaded: Promise<void> | undefined;
  #isDirty = false;

  constructor(fs: FileSystem, file?: SummariesFile) {
    this.#fs = fs;
    this.#file = file;
  }

  set(identity: FileIdentity, summary: SpecSummary): void {
    this.#known.set(summary.path, { identity, summary });
    this.#isDirty = true;
  }

  /** The cached summaries of unchanged files. Files are checked in parallel, because most of the time is waiting. */
  async find(locations: readonly SpecLocation[]): Promise<readonly (SpecSummary | undefined)[]> {
    this.#loaded ??= this.#load();
    await this.#loaded;
    return Promise.all(
      locations.map(async ({ path, file }) => {
        const known = this.#known.get(path);
        if (known === undefined) return undefined;
        // An error is reported when the file is read.
        const stat = await this.#fs.stat(file).catch(() => undefined);
        return stat !== undefined && isSameFile(known.identity, stat) ? known.summary : undefined;
      }),
    );
  }

  /** Writes the cache file for later processes. */
  async save(): Promise<void> {
    if (this.#file === undefined || !this.#isDirty) return;
    const settled = Date.now() - racyMs;
    const known = [...this.#known.values()].filter(
      ({ identity: { mtimeMs, ctimeMs } }) => mtimeMs < settled && ctimeMs < settled,
    );
    this.#isDirty = false;
    try {
      const { files, path } = this.#file;
      await files.mkdir(dirname(path), { mode: 0o700 });
      await replaceFileUnsynced(files, path, Buffer.from(JSON.stringify({ format, known })), 0o600);
    } catch {
      // A cache that cannot be written does not fail the list.
    }
  }

  clear(): void {
    this.#known.clear();
  }

  async #load(): Promise<void> {
    if (this.#file === undefined) return;
    const { files, path } = this.#file;
    const file = await files.readFile(path, maxCacheBytes).catch(() => undefined);
    if (file === undefined) return;
    for (const known of parse(file.bytes)) this.#known.set(known.summary.path, known);
  }
}

function parse(bytes: Uint8Array): readonly CachedSummary[] {
  try {
    const index = parseJsonText(Buffer.from(bytes).toString()) as {
      format: unknown;
      known: readonly CachedSummary[];
    };
    return index.format === format ? index.known.filter(isCachedSummary) : [];
  } catch {
    return [];
  }
}

function isCachedSummary({ identity, summary }: CachedSummary): boolean {
  return typeof identity?.mtimeMs === "number" && typeof summary?.path === "string";
}
