import { join } from "node:path";
import { isRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import { type FileSystem, unlessMissing } from "@foundry-mcp/toolkit/files";
import { createFolder } from "../../../files/durable/create-folder.ts";
import { replaceFiles } from "../../../files/durable/write-file.ts";
import { responseTtlMs, type StoredResponse } from "../stored-response.ts";

/** Matches the names of response files. */
export const responseName = /([0-9a-f]{32})\.json/;
const wholeName = new RegExp(`^${responseName.source}$`);

/** The maximum size of a stored response in bytes. A response normally has at most a few MiB. */
const maxResponseBytes = 16 * 2 ** 20;

/**
 * The stored responses to calls with an idempotency key. Each response is in a file
 * `.foundry/answers/<spec>/<name>.json`.
 */
export class ResponseFiles {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#folder = join(folder, "answers");
  }

  /** Reads a response; undefined if the response is missing or malformed. */
  async read(spec: string, name: string): Promise<StoredResponse | undefined> {
    const file = await unlessMissing(this.#fs.readFile(this.#pathOf(spec, name), maxResponseBytes));
    return file === undefined ? undefined : parse(file.bytes);
  }

  /** Reads all responses of a spec, by name. */
  async readAll(spec: string): Promise<ReadonlyMap<string, StoredResponse>> {
    const all = new Map<string, StoredResponse>();
    for (const file of (await unlessMissing(this.#fs.readdir(join(this.#folder, spec)))) ?? []) {
      const name = wholeName.exec(file)?.[1];
      const response = name === undefined ? undefined : await this.read(spec, name);
      if (name !== undefined && response !== undefined) all.set(name, response);
    }
    return all;
  }

  /** Stores responses durably, so that they are not lost in a crash. */
  async write(spec: string, responses: ReadonlyMap<string, StoredResponse>): Promise<void> {
    if (responses.size === 0) return;
    await createFolder(this.#fs, join(this.#folder, spec));
    const files = [...responses].map(([name, { fingerprint, at, revision, result, warnings }]) => ({
      path: this.#pathOf(spec, name),
      chunks: [Buffer.from(`${JSON.stringify({ fingerprint, at, revision, result, warnings })}\n`)],
    }));
    await replaceFiles(this.#fs, files);
  }

  /** Removes the response of a change that was abandoned. */
  async remove(spec: string, name: string): Promise<void> {
    await unlessMissing(this.#fs.unlink(this.#pathOf(spec, name)));
  }

  /** Removes expired responses. */
  async removeExpired(spec: string, now: string): Promise<void> {
    const folder = join(this.#folder, spec);
    const oldest = Date.parse(now) - responseTtlMs;
    for (const name of (await unlessMissing(this.#fs.readdir(folder))) ?? []) {
      // Only response files are removed, because other files may belong to another program.
      if (!wholeName.test(name)) continue;
      const path = join(folder, name);
      const stat = await unlessMissing(this.#fs.stat(path));
      if (stat !== undefined && stat.mtimeMs < oldest) await unlessMissing(this.#fs.unlink(path));
    }
  }

  #pathOf(spec: string, name: string): string {
    return join(this.#folder, spec, `${name}.json`);
  }
}

function parse(bytes: Uint8Array): StoredResponse | undefined {
  try {
    const response = parseJsonText(Buffer.from(bytes).toString());
    const { fingerprint, at, revision, result, warnings } = isRecord(response) ? response : {};
    if (typeof fingerprint !== "string" || typeof at !== "string" || typeof revision !== "string")
      return undefined;
    const texts = Array.isArray(warnings) ? warnings.filter((each) => typeof each === "string") : [];
    return { fingerprint, at, revision, result, warnings: texts };
  } catch {
    return undefined;
  }
}
