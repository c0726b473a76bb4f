import { dirname } from "node:path";
import { parseJsonText } from "@foundry-mcp/contract";
import { type FileIdentity, type FileSystem, isSameFile } from "../../../files/durable/file-system.ts";
import { replaceFileUnsynced } from "../../../files/durable/write-file.ts";
import type { SpecSummary } from "../spec-store.ts";
import type { SpecLocation } from "./spec-locations.ts";

interface CachedSummary {
  readonly identity: FileIdentity;
  readonly summary: SpecSummary;
}

const format = 1;
/** A file that was read this shortly after a change may change again without a change of its times. */
const racyMs = 2_000;

/**
 * The summaries of specs, valid while their files are unchanged: cached in memory, and in a file for later processes if
 * one is configured.
 */
export class SummaryCache {
  readonly #fs: FileSystem;
  readonly #file: string | undefined;
  readonly #known = new Map<string, CachedSummary>();
  #loaded: Promise<void> | undefined;
  #isDirty = false;

  constructor(fs: FileSystem, file?: string) {
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
      await this.#fs.mkdir(dirname(this.#file));
      await replaceFileUnsynced(this.#fs, this.#file, Buffer.from(JSON.stringify({ format, known })), 0o600);
    } catch {
      // A cache that cannot be written does not fail the list.
    }
  }

  clear(): void {
    this.#known.clear();
  }

  async #load(): Promise<void> {
    if (this.#file === undefined) return;
    const bytes = await this.#fs.readFile(this.#file).catch(() => undefined);
    if (bytes === undefined) return;
    for (const known of parse(bytes)) this.#known.set(known.summary.path, known);
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
