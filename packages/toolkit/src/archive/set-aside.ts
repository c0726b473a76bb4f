import { randomBytes } from "node:crypto";
import { link, mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, systemErrorCode, unlessMissing } from "../files/system-error.ts";
import type { ArchiveFolder } from "./archive-folder.ts";
import { listNames } from "./scan-folder.ts";

/**
 * A file that was moved aside before it is removed. Whoever looks for it in its place makes it anew,
 * so that removing it takes nothing away that anyone has begun to rely on.
 */
class SetAside {
  readonly path: string;
  readonly #place: string;

  constructor(path: string, place: string) {
    this.path = path;
    this.#place = place;
  }

  /** Puts it back, unless a new one stands in its place. */
  async putBack(): Promise<void> {
    try {
      await link(this.path, this.#place);
    } catch (err) {
      // Not every file system has links; a file that is gone has been put back by another process.
      if (isMissing(err)) return;
      if (systemErrorCode(err) !== "EEXIST")
        return void (await unlessMissing(rename(this.path, this.#place)));
    }
    await this.remove();
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

/** Moves a file aside, under a name that says where it stood; undefined where it is not there. */
export async function setAside(folder: ArchiveFolder, name: string): Promise<SetAside | undefined> {
  const place = folder.placeOf(name);
  if (place === undefined) throw new TypeError(`${name} names no place in an archive`);
  const path = join(folder.aside, `${name}.${randomBytes(6).toString("hex")}`);
  await mkdir(folder.aside, { recursive: true, mode: 0o700 });
  try {
    await rename(place, path);
  } catch (err) {
    if (isMissing(err)) return undefined;
    throw err;
  }
  return new SetAside(path, place);
}

/** Where a file is that stands aside at this moment. */
export async function findAside(folder: ArchiveFolder, name: string): Promise<string | undefined> {
  const names = await listNames(folder.aside);
  const found = names.find((known) => known.startsWith(`${name}.`));
  return found === undefined ? undefined : join(folder.aside, found);
}

/** Puts back what a process left aside that died: the next sweep decides anew. */
export async function putBackLeftovers(folder: ArchiveFolder, olderThan: number): Promise<void> {
  for (const name of await listNames(folder.aside)) {
    const place = folder.placeOf(name);
    const path = join(folder.aside, name);
    const found = await unlessMissing(stat(path));
    if (place === undefined || found === undefined || found.ctimeMs > olderThan) continue;
    await new SetAside(path, place).putBack();
  }
}

/** The name under which an object stands aside. */
export function objectName(digest: string): string {
  return `object.${digest}`;
}

/** The name under which an entry stands aside. */
export function entryName(owner: string, archiveId: string): string {
  return `entry.${owner}.${archiveId}`;
}
