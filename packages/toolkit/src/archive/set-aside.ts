import { join } from "node:path";
import type { FileSystem } from "../files/file-system.ts";
import { isMissing, systemErrorCode, unlessMissing } from "../files/system-error.ts";
import type { ArchiveFolder } from "./archive-folder.ts";

/**
 * A file that was moved aside before it is removed. A writer that misses it in its place writes it anew,
 * so that removing it takes nothing away that a writer has begun to rely on.
 */
class SetAside {
  readonly path: string;
  readonly #files: FileSystem;
  readonly #origin: string;

  constructor(files: FileSystem, path: string, origin: string) {
    this.#files = files;
    this.path = path;
    this.#origin = origin;
  }

  /** Puts it back, unless there is a new file in its place. */
  async putBack(): Promise<void> {
    try {
      await this.#files.link(this.path, this.#origin);
    } catch (err) {
      // A file that is gone has been put back by another process. Not every file system has links.
      if (isMissing(err)) return;
      if (systemErrorCode(err) !== "EEXIST")
        return void (await unlessMissing(this.#files.rename(this.path, this.#origin)));
    }
    await this.remove();
  }

  async remove(): Promise<void> {
    await unlessMissing(this.#files.unlink(this.path));
  }
}

/** Moves a file aside, under a name that tells where it came from; undefined where there is no such file. */
export async function setAside(folder: ArchiveFolder, name: string): Promise<SetAside | undefined> {
  const origin = folder.originOf(name);
  if (origin === undefined) throw new TypeError(`${name} names no place in an archive`);
  const path = folder.asidePath(name);
  const { files } = folder;
  await files.mkdir(folder.aside, { mode: 0o700 });
  try {
    await files.rename(origin, path);
  } catch (err) {
    if (isMissing(err)) return undefined;
    throw err;
  }
  return new SetAside(files, path, origin);
}

/** The path of a file that is aside at this moment. */
export async function findAside(folder: ArchiveFolder, name: string): Promise<string | undefined> {
  const names = await folder.listNames(folder.aside);
  const found = names.find((known) => known.startsWith(`${name}.`));
  return found === undefined ? undefined : join(folder.aside, found);
}

/** Puts back files that a dead process left aside: the next sweep decides anew. */
export async function putBackLeftovers(folder: ArchiveFolder, olderThan: number): Promise<void> {
  const { files } = folder;
  for (const name of await folder.listNames(folder.aside)) {
    const origin = folder.originOf(name);
    const path = join(folder.aside, name);
    const found = await unlessMissing(files.lstat(path));
    if (origin === undefined || !found?.isFile() || found.ctimeMs > olderThan) continue;
    await new SetAside(files, path, origin).putBack();
  }
}

/** The name of an object that is aside. */
export function objectName(digest: string): string {
  return `object.${digest}`;
}

/** The name of an entry that is aside. */
export function entryName(owner: string, archiveId: string): string {
  return `entry.${owner}.${archiveId}`;
}
