import { join } from "node:path";
import type { FileSystem } from "../files/file-system.ts";
import { isMissing, systemErrorCode, unlessMissing } from "../files/system-error.ts";
import type { ArchiveFolder } from "./archive-folder.ts";

/**
 * A file that was moved aside before its removal. A writer that does not find the file at its path writes the file
 * again, so the removal cannot affect content that a writer needs.
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

  /** Puts the file back, unless there is a new file at its path. */
  async putBack(): Promise<void> {
    try {
      await this.#files.link(this.path, this.#origin);
    } catch (err) {
      // If the file is missing, another process has put it back. EEXIST means that there is a new file at the path.
      // Any other error may mean that the file system does not support hard links.
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

/**
 * Moves a file aside under a name from which the original path can be derived; undefined if there is no such file.
 */
export async function setAside(folder: ArchiveFolder, name: string): Promise<SetAside | undefined> {
  const origin = folder.originOf(name);
  if (origin === undefined) throw new TypeError(`${name} is not a path in an archive`);
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

/** Finds the current path of a file that was moved aside. */
export async function findAside(folder: ArchiveFolder, name: string): Promise<string | undefined> {
  const names = await folder.listNames(folder.aside);
  const found = names.find((known) => known.startsWith(`${name}.`));
  return found === undefined ? undefined : join(folder.aside, found);
}

/**
 * Puts back the files that a dead process moved aside and left there; the next sweep decides again whether to
 * remove these files.
 */
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

/** Returns the name under which an object is moved aside. */
export function objectName(digest: string): string {
  return `object.${digest}`;
}

/** Returns the name under which an entry is moved aside. */
export function entryName(owner: string, archiveId: string): string {
  return `entry.${owner}.${archiveId}`;
}
