import { dirname } from "node:path";
import { unavailable } from "@foundry-mcp/contract";
import { systemErrorCode } from "@foundry-mcp/toolkit/files";
import { toFileError } from "./file-error.ts";
import type { FileSystem } from "./file-system.ts";
import { makeFolder } from "./make-folder.ts";
import { refused, resolvePlace, toName } from "./resolve-place.ts";
import { writeDraft } from "./write-draft.ts";

/** How a file is written. */
export interface WriteOptions {
  /** The folder that no link may lead out of; messages name files from here. @default the file's folder */
  readonly root?: string | undefined;
  /** Runs when all is on the disk and nothing is changed yet; where it throws, nothing will be. */
  readonly beforeRename?: (() => Promise<void>) | undefined;
}

/**
 * Replaces a file: when it returns, the new content survives a crash; when it fails, the old content is
 * there, whole, unless the failure says `details.is_changed`. A file that was missing is made; the mode of
 * one that was there stays.
 */
export async function replaceFile(
  fs: FileSystem,
  path: string,
  pieces: readonly Uint8Array[],
  { root = dirname(path), beforeRename }: WriteOptions = {},
): Promise<void> {
  await naming(`write ${quote(path, root)}`, path, root, async () => {
    const { path: target, stat } = await resolvePlace(fs, path, root);
    // A rename asks only the folder: a file that was protected by itself would be replaced.
    if (stat !== undefined) await fs.requireWritable(target);
    if (stat?.isDirectory()) throw failure("EISDIR");
    await writeDraft(fs, target, { pieces, mode: stat?.mode }, async (draft) => {
      await beforeRename?.();
      await fs.rename(draft, target);
    });
    await confirm(fs, [dirname(target)], path, root);
  });
}

/** Makes a file that must not be there yet, else DUPLICATE_ENTRY; missing folders are made. */
export async function createFile(
  fs: FileSystem,
  path: string,
  pieces: readonly Uint8Array[],
  { root = dirname(path), beforeRename }: WriteOptions = {},
): Promise<void> {
  await naming(`create ${quote(path, root)}`, path, root, async () => {
    await makeFolder(fs, dirname(path));
    const { stat } = await resolvePlace(fs, path, root);
    if (stat !== undefined) throw failure("EEXIST");
    await writeDraft(fs, path, { pieces }, async (draft) => {
      await beforeRename?.();
      await placeNew(fs, draft, path);
    });
    await confirm(fs, [dirname(path)], path, root);
  });
}

/** Moves a file to a name that must be free, else DUPLICATE_ENTRY; the rename is the one moment it happens. */
export async function moveFile(
  fs: FileSystem,
  from: string,
  to: string,
  { root = dirname(from), beforeRename }: WriteOptions = {},
): Promise<void> {
  await naming(`move ${quote(from, root)} to ${quote(to, root)}`, from, root, async () => {
    const { stat, isLink } = await resolvePlace(fs, from, root);
    if (stat === undefined) throw failure("ENOENT");
    // Where a link leads to may depend on where it stands.
    if (isLink) throw refused(from, root, "it is a link");
    await makeFolder(fs, dirname(to));
    await beforeRename?.();
    // The caller holds the lock of the spec: only a program that knows no locks could come in between.
    if ((await resolvePlace(fs, to, root)).stat !== undefined) throw failure("EEXIST");
    await fs.rename(from, to);
    await confirm(fs, [...new Set([dirname(to), dirname(from)])], to, root);
  });
}

/** A link refuses a name that is taken, as a rename does not; some disks have none. */
async function placeNew(fs: FileSystem, draft: string, path: string): Promise<void> {
  try {
    await fs.link(draft, path);
  } catch (err) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(systemErrorCode(err))) throw err;
    return fs.rename(draft, path);
  }
  // It has its place: a second name that stays is tidied later.
  await fs.unlink(draft).catch(() => {});
}

/** Has the disk know the new names; where it does not, the change is there but may not survive a crash. */
async function confirm(
  fs: FileSystem,
  folders: readonly string[],
  path: string,
  root: string,
): Promise<void> {
  try {
    for (const folder of folders) await fs.syncFolder(folder);
  } catch (cause) {
    if (systemErrorCode(cause) === "") throw cause;
    const name = toName(path, root);
    throw unavailable(
      `Cannot confirm ${JSON.stringify(name)}: it was changed, but the disk does not say that it is kept`,
      {
        remediation: "Check the disk, then read the current state before you repeat the change.",
        details: { path: name, reason: systemErrorCode(cause), is_changed: true },
        cause,
      },
    );
  }
}

/** A failure that the file system would have found by itself. */
function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function quote(path: string, root: string): string {
  return JSON.stringify(toName(path, root));
}

/** Runs file work; its failures say what could not be done to which file. */
async function naming(deed: string, path: string, root: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (err) {
    throw toFileError(err, deed, toName(path, root));
  }
}
