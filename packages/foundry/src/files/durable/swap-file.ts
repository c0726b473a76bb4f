import type { FileSystem } from "./file-system.ts";
import { temporaryPath } from "./temporary-name.ts";

/**
 * Replaces a file, whole or not at all, as far as other processes can see; after a power cut the old content may be
 * back. For what can be found out again.
 */
export async function swapFile(
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  mode?: number,
): Promise<void> {
  const draft = await temporaryPath(path);
  const file = await fs.create(draft);
  try {
    if (mode !== undefined) await file.chmod(mode);
    for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(await file.writev([rest]));
  } finally {
    await file.close();
  }
  await fs.rename(draft, path);
}
