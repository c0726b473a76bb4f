import { dirname } from "node:path";
import { type FileIdentity, type FileSystem, isSameFile } from "../../../files/durable/file-system.ts";
import { replaceFileUnsynced } from "../../../files/durable/write-file.ts";
import type { SpecSummary } from "../spec-store.ts";
import type { SpecLocation } from "./spec-locations.ts";

interface Known {
  readonly identity: FileIdentity;
  readonly summary: SpecSummary;
}

const format = 1;
/** A file that was changed so short a time before it was read may change again and keep its times. */
const racyMs = 2_000;

/**
 * What a list tells of specs, kept for as long as their files are the same: in memory, and in a file where a
 * process that ends soon is to leave it to the next.
 */
export class SummaryCache {
  readonly #fs: FileSystem;
  readonly #file: string | undefined;
  readonly #known = new Map<string, Known>();
  #opened: Promise<void> | undefined;
  #hasNew = false;

  constructor(fs: FileSystem, file?: string) {
    this.#fs = fs;
    this.#file = file;
  }

  set(identity: FileIdentity, summary: SpecSummary): void {
    this.#known.set(summary.path, { identity, summary });
    this.#hasNew = true;
  }

  /** What was told of files that are as they were. Many are looked at together: most of it is waiting. */
  async find(locations: readonly SpecLocation[]): Promise<readonly (SpecSummary | undefined)[]> {
    this.#opened ??= this.#open();
    await this.#opened;
    return Promise.all(
      locations.map(async ({ path, file }) => {
        const known = this.#known.get(path);
        if (known === undefined) return undefined;
        // What cannot be looked at is told when it is read.
        const stat = await this.#fs.stat(file).catch(() => undefined);
        return stat !== undefined && isSameFile(known.identity, stat) ? known.summary : undefined;
      }),
    );
  }

  /** Leaves what is known to later processes. */
  async save(): Promise<void> {
    if (this.#file === undefined || !this.#hasNew) return;
    const settled = Date.now() - racyMs;
    const known = [...this.#known.values()].filter(
      ({ identity: { mtimeMs, ctimeMs } }) => mtimeMs < settled && ctimeMs < settled,
    );
    this.#hasNew = false;
    try {
      await this.#fs.mkdir(dirname(this.#file));
      await replaceFileUnsynced(this.#fs, this.#file, Buffer.from(JSON.stringify({ format, known })), 0o600);
    } catch {
      // A cache that cannot be kept is no failure of the list.
    }
  }

  clear(): void {
    this.#known.clear();
  }

  async #open(): Promise<void> {
    if (this.#file === undefined) return;
    const bytes = await this.#fs.readFile(this.#file).catch(() => undefined);
    if (bytes === undefined) return;
    for (const known of parse(bytes)) this.#known.set(known.summary.path, known);
  }
}

function parse(bytes: Uint8Array): readonly Known[] {
  try {
    const index = JSON.parse(Buffer.from(bytes).toString()) as { format: unknown; known: readonly Known[] };
    return index.format === format ? index.known.filter(isKnown) : [];
  } catch {
    return [];
  }
}

function isKnown({ identity, summary }: Known): boolean {
  return typeof identity?.mtimeMs === "number" && typeof summary?.path === "string";
}
