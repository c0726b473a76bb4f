import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { FileSystem } from "@foundry-mcp/toolkit/files";
import { replaceFileUnsynced } from "../../files/durable/write-file.ts";
import type { UpstreamLists } from "./definitions.ts";

/** The format 2 differs in its texts: secrets are masked also in schemas, annotations, metadata and arguments. */
const format = 2;
/** The maximum size of the file in bytes. A larger file is ignored and replaced. */
const maxBytes = 64 * 2 ** 20;

/**
 * The file in which the gateway stores the tools, prompts and resources of its servers. The gateway reads the file at
 * its next start.
 */
export interface ListsFile {
  readonly path: string;
  readonly files: FileSystem;
}

/**
 * Caches the lists that servers sent in earlier processes, so that clients see the tools of a server while it is still
 * starting. A cached list is used only if the configuration of the server is unchanged.
 */
export class RememberedLists {
  readonly #file: ListsFile;
  readonly #entries: Map<string, UpstreamLists>;
  /**
   * The keys that this process has used. Other entries belong to old configurations and are removed at the next write.
   */
  readonly #used = new Set<string>();
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: ListsFile, entries: Map<string, UpstreamLists>) {
    this.#file = file;
    this.#entries = entries;
  }

  /** Reads the file. A missing or invalid file counts as empty. */
  static async open(file: ListsFile): Promise<RememberedLists> {
    const read = await file.files.readFile(file.path, maxBytes).catch(() => undefined);
    return new RememberedLists(file, new Map(read === undefined ? [] : parse(read.bytes)));
  }

  /** Returns the cached lists of a server, or undefined if there are none for this configuration. */
  find(server: string, configuration: string): UpstreamLists | undefined {
    const key = toKey(server, configuration);
    this.#used.add(key);
    return this.#entries.get(key);
  }

  /** Caches the lists of a server for later processes. */
  set(server: string, configuration: string, lists: UpstreamLists): void {
    const key = toKey(server, configuration);
    this.#used.add(key);
    if (JSON.stringify(this.#entries.get(key)) === JSON.stringify(lists)) return;
    this.#entries.set(key, lists);
    this.#writing = this.#writing.then(() => this.#write());
  }

  /** Waits until all changes are written. */
  async close(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { files, path } = this.#file;
    const entries = [...this.#entries].filter(([key]) => this.#used.has(key));
    const bytes = Buffer.from(JSON.stringify({ format, entries }));
    try {
      await files.mkdir(dirname(path), { mode: 0o700 });
      await replaceFileUnsynced(files, path, bytes, 0o600);
    } catch {
      // The lists are only a cache, so the gateway runs without them if they cannot be written.
    }
  }
}

/**
 * Returns the key of an entry: a hash of the server's name and configuration, because the configuration may be long.
 */
function toKey(server: string, configuration: string): string {
  return createHash("sha256").update(`${server}\0${configuration}`).digest("hex");
}

function parse(bytes: Uint8Array): readonly (readonly [string, UpstreamLists])[] {
  try {
    const value = parseJsonText(Buffer.from(bytes).toString("utf8"));
    if (!isRecord(value) || value["format"] !== format || !Array.isArray(value["entries"])) return [];
    return value["entries"].filter(isEntry);
  } catch {
    return [];
  }
}

function isEntry(entry: unknown): entry is readonly [string, UpstreamLists] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string" || !isRecord(entry[1])) return false;
  const { tools, prompts, resources } = entry[1];
  return (
    hasTexts(tools, "name", "description") &&
    (tools as readonly UnknownRecord[]).every((tool) =>
      ["inputSchema", "annotations", "meta"].every((key) => isRecord(tool[key])),
    ) &&
    hasTexts(prompts, "name") &&
    (prompts as readonly UnknownRecord[]).every((prompt) => Array.isArray(prompt["arguments"])) &&
    hasTexts(resources, "name", "address")
  );
}

function hasTexts(items: unknown, ...keys: readonly string[]): boolean {
  if (!Array.isArray(items)) return false;
  return items.every((item) => isRecord(item) && keys.every((key) => typeof item[key] === "string"));
}
