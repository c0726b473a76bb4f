import { randomBytes } from "node:crypto";
import { link, mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, systemErrorCode, unlessMissing } from "../files/system-error.ts";
import { type ArchiveFolder, listNames } from "./archive-folder.ts";

/**
 * A file that was moved aside before it is removed. A writer that misses it in its place writes it anew,
 * so that removing it takes nothing away that a writer has begun to rely on.
 */
class SetAside {
  readonly path: string;
  readonly #origin: string;

  constructor(path: string, origin: string) {
    this.path = path;
    this.#origin = origin;
  }

  /** Puts it back, unless there is a new file in its place. */
  async putBack(): Promise<void> {
    try {
      await link(this.path, this.#origin);
    } catch (err) {
      // A file that is gone has been put back by another process. Not every file system has links.
      if (isMissing(err)) return;
      if (systemErrorCode(err) !== "EEXIST")
        return void (await unlessMissing(rename(this.path, this.#origin)));
    }
    await this.remove();
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

/** Moves a file aside, under a name that tells where it came from; undefined where there is no such file. */
export async function setAside(folder: ArchiveFolder, name: string): Promise<SetAside | undefined> {
  const origin = folder.originOf(name);
  if (origin === undefined) throw new TypeError(`${name} names no place in an archive`);
  const path = join(folder.aside, `${name}.${randomBytes(6).toString("hex")}`);
  await mkdir(folder.aside, { recursive: true, mode: 0o700 });
  try {
    await rename(origin, path);
  } catch (err) {
    if (isMissing(err)) return undefined;
    throw err;
  }
  return new SetAside(path, origin);
}

/** The path of a file that is aside at this moment. */
export async function findAside(folder: ArchiveFolder, name: string): Promise<string | undefined> {
  const names = await listNames(folder.aside);
  const found = names.find((known) => known.startsWith(`${name}.`));
  return found === undefined ? undefined : join(folder.aside, found);
}

/** Puts back files that a dead process left aside: the next sweep decides anew. */
export async function putBackLeftovers(folder: ArchiveFolder, olderThan: number): Promise<void> {
  for (const name of await listNames(folder.aside)) {
    const origin = folder.originOf(name);
    const path = join(folder.aside, name);
    const found = await unlessMissing(stat(path));
    if (origin === undefined || found === undefined || found.ctimeMs > olderThan) continue;
    await new SetAside(path, origin).putBack();
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
