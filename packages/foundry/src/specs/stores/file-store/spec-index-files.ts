import { dirname, join } from "node:path";
import { type FileContent, type FileIdentity, type FileSystem, isSameFile } from "@foundry-mcp/toolkit/files";
import { replaceFileUnsynced } from "../../../files/durable/write-file.ts";
import { digestOf, type SpecFile } from "../spec-file.ts";
import {
  decodeSpecIndex,
  encodeSpecIndex,
  fromSpecIndex,
  type SpecIndex,
  toSpecIndex,
} from "./spec-index.ts";
import type { SpecLocation } from "./spec-locations.ts";
import type { LoadedSpec } from "./spec-state.ts";

/** The size in bytes from which reading an index is faster than parsing the spec. */
const minBytes = 256 * 1_024;
const maxIndexBytes = 64 * 2 ** 20;
/** The time after a change, in milliseconds, in which a file may change again without a change of its timestamps. */
const racyMs = 2_000;

/** A folder of the user's cache, in which indexes of specs are kept for later processes. */
export interface IndexFolder {
  readonly path: string;
  readonly files: FileSystem;
  /** Called with the name of an index that was read, and with the time of its last use. */
  readonly onUse?: (name: string, mtimeMs: number) => void;
  /** Called with the name of an index that was written. */
  readonly onWrite?: (name: string) => void;
}

/**
 * The indexes of large specs, each in a file of its own. An index is used only for the text from which it was made:
 * for a file that has not changed since, or for a text with the same SHA-256 hash.
 */
export class SpecIndexFiles {
  readonly #folder: IndexFolder | undefined;
  /** The indexes that this process has read or written, by the path of the spec file. */
  readonly #known = new Map<string, SpecIndex>();

  constructor(folder: IndexFolder | undefined) {
    this.#folder = folder;
  }

  /** Returns the parsed file, if there is an index of its text. */
  async find({ file }: SpecLocation, { bytes, stat }: FileContent): Promise<SpecFile | undefined> {
    if (this.#folder === undefined || bytes.length < minBytes) return undefined;
    const { files, path, onUse } = this.#folder;
    const name = toIndexName(file);
    const content = await files.readFile(join(path, name), maxIndexBytes).catch(() => undefined);
    const known = content && decodeSpecIndex(content.bytes);
    if (content === undefined || known === undefined || known.file !== file) return undefined;
    const isSame = isSameFile(known.identity, stat);
    if (!(isSame && known.isSettled) && known.digest !== digestOf([bytes])) return undefined;
    // Otherwise the index is written again, so that a later process need not compute the hash.
    if (isSame && known.isSettled === isSettled(stat)) this.#known.set(file, known);
    onUse?.(name, content.stat.mtimeMs);
    return fromSpecIndex(known, bytes);
  }

  /** Stores the index of a spec for later processes. */
  async save({ location: { file }, file: spec, stat }: LoadedSpec): Promise<void> {
    if (this.#folder === undefined || spec.bytes.length < minBytes) return;
    const known = this.#known.get(file);
    if (known !== undefined && isSameFile(known.identity, stat)) return;
    const { files, path, onWrite } = this.#folder;
    const target = join(path, toIndexName(file));
    try {
      const index = toSpecIndex(spec, { file, identity: stat, isSettled: isSettled(stat) });
      if (index === undefined) return;
      await files.mkdir(dirname(target), { mode: 0o700 });
      await replaceFileUnsynced(files, target, encodeSpecIndex(index), 0o600);
      this.#known.set(file, index);
      onWrite?.(toIndexName(file));
    } catch {
      // The spec was read. Without an index, only the next process is slower.
    }
  }
}

function isSettled({ mtimeMs, ctimeMs }: FileIdentity): boolean {
  const settled = Date.now() - racyMs;
  return mtimeMs < settled && ctimeMs < settled;
}

/** Returns the name of the index of a file. If two paths have the same name, one index replaces the other. */
function toIndexName(file: string): string {
  let [one, other] = [0x811c9dc5, 0x01000193];
  for (const character of file) {
    const code = character.codePointAt(0) as number;
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b) ^ (other >>> 13);
  }
  const digits = (word: number) => (word >>> 0).toString(16).padStart(8, "0");
  return `spec-${digits(one)}${digits(other)}.index`;
}
