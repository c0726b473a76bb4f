import {
  access,
  appendFile,
  constants,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  stat,
  unlink,
} from "node:fs/promises";
import { systemErrorCode } from "@foundry-mcp/toolkit/files";
import type { FileSystem } from "./file-system.ts";

/** The real file system, through node:fs/promises. */
export const nodeFileSystem: FileSystem = {
  async create(path) {
    const file = await open(path, "wx");
    return {
      writev: async (chunks) => (await file.writev(chunks)).bytesWritten,
      chmod: (mode) => file.chmod(mode),
      sync: () => file.sync(),
      close: () => file.close(),
    };
  },
  readFile: (path) => readFile(path),
  append: (path, bytes) => appendFile(path, bytes),
  stat: (path) => stat(path),
  lstat: (path) => lstat(path),
  requireWritable: (path) => access(path, constants.W_OK),
  realpath: (path) => realpath(path),
  readdir: (path) => readdir(path),
  mkdir: (path) => mkdir(path, { recursive: true }),
  rename,
  link,
  unlink,
  syncFolder,
};

async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (err) {
    // Some systems cannot sync folders; nothing more can be done there.
    if (!["EISDIR", "EINVAL", "EPERM", "EACCES", "ENOTSUP"].includes(systemErrorCode(err))) throw err;
  }
}
