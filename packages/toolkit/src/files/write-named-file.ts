import { constants } from "node:fs";
import { lstat, open, realpath, stat, unlink } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { linkLeadsNowhere, linkLeadsOut, notRegular, type RefusedFile } from "./file-refusals.ts";
import { isBelow } from "./is-below.ts";
import { isMissing, unlessMissing } from "./system-error.ts";

/**
 * Writes a file that a person named on the command line. The file may be anywhere, and may be a device such as
 * /dev/stdout. Below the working folder, which may be a cloned repository, the file must be a regular file, and
 * links must not lead out of the working folder.
 */
export async function writeNamedFile(path: string, content: string | Uint8Array): Promise<void> {
  await checkPath(path);
  const file = await open(resolve(path), "w");
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}

/**
 * Fails unless `writeNamedFile` can write the file; the check does not change the content of an existing
 * file.
 */
export async function requireWritableFile(path: string): Promise<void> {
  await checkPath(path);
  try {
    await (await open(resolve(path), constants.O_WRONLY)).close();
  } catch (err) {
    if (!isMissing(err)) throw err;
    await (await open(resolve(path), "wx")).close();
    await unlink(resolve(path));
  }
}

async function checkPath(path: string): Promise<void> {
  const target = resolve(path);
  const folder = resolve(".");
  if (!isBelow(target, folder)) return;
  const file: RefusedFile = { verb: "write", name: relative(folder, target), isPrivate: false };
  const realFolder = await realpath(folder);
  const real = await unlessMissing(realpath(target));
  if (real === undefined) {
    if ((await unlessMissing(lstat(target))) !== undefined) throw linkLeadsNowhere(file);
    const realParent = await unlessMissing(realpath(dirname(target)));
    if (realParent !== undefined && !isBelow(realParent, realFolder)) throw linkLeadsOut(file);
    return;
  }
  if (!isBelow(real, realFolder)) throw linkLeadsOut(file);
  const found = await stat(real);
  if (!found.isFile()) throw notRegular(file, found);
}
