import * as fs from "node:fs";
import type { FileCalls } from "./file-calls.ts";
import { renameOver } from "./rename-over.ts";

/**
 * The synchronous system calls, for a process that runs one command. These calls cannot block other work of such a
 * process, and the thread pool would take longer than the calls themselves.
 */
export const syncCalls: FileCalls = {
  open: async (path, flags, mode) => fs.openSync(path, flags, mode),
  close: async (file) => fs.closeSync(file),
  fstat: async (file) => fs.fstatSync(file),
  read: async (file, buffer, offset) => fs.readSync(file, buffer, offset, buffer.length - offset, null),
  writev: async (file, chunks) => fs.writevSync(file, chunks),
  write: async (file, bytes, position) => fs.writeSync(file, bytes, 0, bytes.length, position),
  fchmod: async (file, mode) => fs.fchmodSync(file, mode),
  fchown: async (file, uid, gid) => fs.fchownSync(file, uid, gid),
  ftruncate: async (file, size) => fs.ftruncateSync(file, size),
  futimes: async (file, accessed, modified) => fs.futimesSync(file, accessed, modified),
  fsync: async (file) => fs.fsyncSync(file),
  stat: async (path) => fs.statSync(path),
  lstat: async (path) => fs.lstatSync(path),
  access: async (path, mode) => fs.accessSync(path, mode),
  realpath: async (path) => fs.realpathSync.native(path),
  async readNames(path, max) {
    const names: string[] = [];
    const folder = fs.opendirSync(path, { bufferSize: 512 });
    try {
      for (let entry = folder.readSync(); entry !== null && names.length < max; entry = folder.readSync())
        names.push(entry.name);
      return names;
    } finally {
      folder.closeSync();
    }
  },
  mkdir: async (path, mode) => void fs.mkdirSync(path, { mode }),
  mkdirAll: async (path, mode) => fs.mkdirSync(path, { recursive: true, mode }),
  rename: async (from, to) => fs.renameSync(from, to),
  renameOver,
  link: async (from, to) => fs.linkSync(from, to),
  unlink: async (path) => fs.unlinkSync(path),
  rmdir: async (path) => fs.rmdirSync(path),
};
