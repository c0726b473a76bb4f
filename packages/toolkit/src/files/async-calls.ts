import * as fs from "node:fs";
import { promisify } from "node:util";
import type { FileCalls } from "./file-calls.ts";
import { renameOver } from "./rename-over.ts";

const open = promisify(fs.open);
const read = promisify(fs.read);
const write = promisify(fs.write);
const writev = promisify(fs.writev);
const fstat = promisify(fs.fstat);
const stat = promisify(fs.stat);
const lstat = promisify(fs.lstat);
const realpath = promisify(fs.realpath.native);
const opendir = promisify(fs.opendir);
const mkdir = promisify(fs.mkdir);
const rmdir = promisify(fs.rmdir);

/** The system calls on Node's thread pool, for servers, so that waiting for the disk does not block the event loop. */
export const asyncCalls: FileCalls = {
  open: (path, flags, mode) => open(path, flags, mode),
  close: promisify(fs.close),
  fstat: (file) => fstat(file),
  read: async (file, buffer, offset) =>
    (await read(file, buffer, offset, buffer.length - offset, null)).bytesRead,
  writev: async (file, chunks) => (await writev(file, chunks)).bytesWritten,
  write: async (file, bytes, position) => (await write(file, bytes, 0, bytes.length, position)).bytesWritten,
  fchmod: promisify(fs.fchmod),
  fchown: promisify(fs.fchown),
  ftruncate: promisify(fs.ftruncate),
  futimes: promisify(fs.futimes),
  fsync: promisify(fs.fsync),
  stat: (path) => stat(path),
  lstat: (path) => lstat(path),
  access: promisify(fs.access),
  realpath: (path) => realpath(path),
  async readNames(path, max) {
    const names: string[] = [];
    const folder = await opendir(path, { bufferSize: 512 });
    try {
      while (names.length < max) {
        const entry = await folder.read();
        if (entry === null) break;
        names.push(entry.name);
      }
      return names;
    } finally {
      await folder.close();
    }
  },
  mkdir: async (path, mode) => void (await mkdir(path, { mode })),
  mkdirAll: (path, mode) => mkdir(path, { recursive: true, mode }),
  rename: promisify(fs.rename),
  renameOver,
  link: promisify(fs.link),
  unlink: promisify(fs.unlink),
  rmdir: (path) => rmdir(path),
};
