import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { markUsed, removeUnused } from "../config/cache-files.ts";

/** The part of a program that a command uses, as an earlier run of the command stored it. */
export interface ProgramCache {
  /** The hash of the whole program, needed because V8 compares only the length of the text. */
  readonly hash: string;
  readonly text: string;
  /** The compiled code of the text. The code is missing after the first run of a command. */
  readonly compiled?: Buffer | undefined;
}

/** The maximum number of commands whose code is kept. */
const maxCaches = 100;
/** The number of digits of the length of the text. */
const digits = 9;

/** Reads a cache file: the hash and the length of the text on the first line, the text, and the compiled code. */
export function readCache(file: string, hash: string): ProgramCache | undefined {
  try {
    const { uid, mode, mtimeMs } = statSync(file);
    // A cache file that another user could have written is not run.
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
    const bytes = readFileSync(file);
    const start = hash.length + 1 + digits + 1;
    const [known, length] = bytes.toString("latin1", 0, start).split(/[ \n]/);
    const end = start + Number(length);
    if (known !== hash || !(end > start && end <= bytes.length)) return undefined;
    markUsed(file, mtimeMs);
    const compiled = end === bytes.length ? undefined : bytes.subarray(end);
    return { hash, text: bytes.toString("latin1", start, end), compiled };
  } catch {
    return undefined;
  }
}

/** Writes a cache file atomically, because V8 does not validate its content. */
export function writeCache(file: string, { hash, text, compiled }: ProgramCache): void {
  const folder = dirname(file);
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    removeUnused(folder, { ending: ".cache", keep: maxCaches - 1, except: basename(file) });
    const head = `${hash} ${String(text.length).padStart(digits, "0")}\n`;
    const parts = [Buffer.from(head), Buffer.from(text, "latin1"), compiled ?? Buffer.alloc(0)];
    writeFileSync(draft, Buffer.concat(parts), { flag: "wx", mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // Without a cache of compiled code, only the next start is slower.
    rmSync(draft, { force: true });
  }
}
