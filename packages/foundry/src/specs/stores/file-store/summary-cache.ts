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
/**
 * The time after a change, in milliseconds, in which a file may change again without a change of its
 * timestamps.
 */
const racyMs = 2_000;

/** The maximum size of a cache file in bytes. A larger file is replaced. */
const maxCacheBytes = 64 * 2 ** 20;

/**
 * The file in which summaries are stored for later processes, and the file operations for the folder of this
 * file.
 */
export interface SummariesFile {
  readonly path: string;
  readonly files: FileSystem;
  /** Called when the file was read, with the time of its last use. */
  readonly onUse?: (mtimeMs: number) => void;
  /** Called when the file was written. */
  readonly onWrite?: () => void;
}

/**
 * The summaries of specs. A summary is valid while its file is unchanged. Summaries are cached in memory and,
 * if configured, in a file for later processes.
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

  /**
   * Returns the cached summaries of unchanged files. Files are checked in parallel, because each check mostly
   * waits for the file system.
   */
  async find(locations: readonly SpecLocation[]): Promise<readonly (SpecSummary | undefined)[]> {
    this.#loaded ??= this.#load();
    await this.#loaded;
    return Promise.all(
      locations.map(async ({ path, file }) => {
        const known = this.#known.get(path);
        if (known === undefined) return undefined;
        // If this check fails, the later read of the file reports the error.
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
      const { files, path, onWrite } = this.#file;
      await files.mkdir(dirname(path), { mode: 0o700 });
      await replaceFileUnsynced(files, path, Buffer.from(JSON.stringify({ format, known })), 0o600);
      onWrite?.();
    } catch {
      // The list is returned even if the cache cannot be written.
    }
  }

  clear(): void {
    this.#known.clear();
  }

  async #load(): Promise<void> {
    if (this.#file === undefined) return;
    const { files, path, onUse } = this.#file;
    const file = await files.readFile(path, maxCacheBytes).catch(() => undefined);
    if (file === undefined) return;
    onUse?.(file.stat.mtimeMs);
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
