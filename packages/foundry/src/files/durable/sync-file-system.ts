import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writevSync,
} from "node:fs";
import { systemErrorCode } from "@foundry-mcp/toolkit/files";
import type { FileSystem } from "./file-system.ts";

/**
 * The real file system through synchronous calls, for a process that runs one command: nothing else waits, and the
 * thread pool would cost more than the calls themselves.
 */
export const syncFileSystem: FileSystem = {
  async create(path) {
    const file = openSync(path, "wx");
    return {
      writev: async (chunks) => writevSync(file, chunks),
      chmod: async (mode) => fchmodSync(file, mode),
      sync: async () => fsyncSync(file),
      close: async () => closeSync(file),
    };
  },
  readFile: async (path) => readFileSync(path),
  append: async (path, bytes) => appendFileSync(path, bytes),
  stat: async (path) => statSync(path),
  lstat: async (path) => lstatSync(path),
  requireWritable: async (path) => accessSync(path, constants.W_OK),
  realpath: async (path) => realpathSync(path),
  readdir: async (path) => readdirSync(path),
  mkdir: async (path) => mkdirSync(path, { recursive: true }),
  rename: async (from, to) => renameSync(from, to),
  link: async (from, to) => linkSync(from, to),
  unlink: async (path) => unlinkSync(path),
  syncFolder: async (path) => syncFolder(path),
};

function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (err) {
    // As in nodeFileSystem: some systems cannot sync folders.
    if (!["EISDIR", "EINVAL", "EPERM", "EACCES", "ENOTSUP"].includes(systemErrorCode(err))) throw err;
  }
}
