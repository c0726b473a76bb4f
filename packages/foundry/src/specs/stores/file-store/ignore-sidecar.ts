import { join } from "node:path";
import { type FileSystem, systemErrorCode } from "@foundry-mcp/toolkit/files";

const text = "# History, state and locks of this machine: git leaves them alone.\n*\n";

/** Writes the `.gitignore` of a sidecar folder, unless an entry with this name exists. */
export async function ignoreSidecar(fs: FileSystem, folder: string): Promise<boolean> {
  const path = join(folder, ".gitignore");
  try {
    const file = await fs.create(path);
    try {
      await file.writev([Buffer.from(text)]);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    // If the folder cannot be written, nothing is changed. A later write of another file in this folder
    // reports the error.
    if (["EEXIST", "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"].includes(systemErrorCode(error) ?? ""))
      return false;
    throw error;
  }
}
