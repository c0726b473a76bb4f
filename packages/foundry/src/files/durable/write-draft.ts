import type { FileSystem, NewFile } from "./file-system.ts";
import { temporaryPath } from "./temporary-name.ts";

/**
 * Writes a temporary file beside its place, has the disk keep it and lets `place` move it there. The
 * temporary file is gone afterwards, whatever happened.
 */
export async function writeDraft(
  fs: FileSystem,
  path: string,
  { pieces, mode }: { readonly pieces: readonly Uint8Array[]; readonly mode?: number | undefined },
  place: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = await temporaryPath(path);
  const file = await fs.create(draft);
  try {
    try {
      await writeAll(file, pieces);
      if (mode !== undefined) await file.chmod(mode & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    await place(draft);
  } catch (err) {
    // On a full disk the half that was written would be in the way; what cannot be removed is tidied later.
    await fs.unlink(draft).catch(() => {});
    throw err;
  }
}

async function writeAll(file: NewFile, pieces: readonly Uint8Array[]): Promise<void> {
  let rest = pieces.filter(({ length }) => length > 0);
  while (rest.length > 0) {
    const written = await file.writev(rest);
    if (written === 0) throw Object.assign(new Error("The disk takes no bytes"), { code: "EIO" });
    rest = dropBytes(rest, written);
  }
}

/** What is left of pieces after their first bytes. */
function dropBytes(pieces: readonly Uint8Array[], count: number): Uint8Array[] {
  let index = 0;
  let left = count;
  for (let piece = pieces[index]; piece !== undefined && left >= piece.length; piece = pieces[index]) {
    left -= piece.length;
    index++;
  }
  const [first, ...others] = pieces.slice(index);
  return first === undefined ? [] : [first.subarray(left), ...others];
}
