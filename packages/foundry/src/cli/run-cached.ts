import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { toCacheFolder } from "../config/user-folders.ts";

/** A program in one CommonJS file, and the functions to run it. */
export interface CachedProgram {
  readonly path: string;
  /** The hash of the file: V8 compares only the length of the source. */
  readonly hash: string;
  readonly require: (path: string) => unknown;
  /** Imports a module of the same folder: code from a cache cannot do that itself. */
  readonly importSibling: (path: string) => Promise<unknown>;
}

const maxCaches = 40;
const commandWord = /^[a-z][a-z-]{0,19}$/;

/**
 * Runs a program with V8's compiled code of an earlier run, which halves the time until it starts. The compiled
 * code is stored in the cache folder of the user; without it the program runs all the same.
 * NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE have the meaning that Node gives them.
 */
export function runCached(program: CachedProgram): void {
  const { path, require } = program;
  const { env, version, arch } = process;
  const folder = env["NODE_COMPILE_CACHE"] ?? toCacheFolder(env);
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  if (folder === undefined || env["NODE_DISABLE_COMPILE_CACHE"] !== undefined) require(path);
  else if (enableCompileCache !== undefined) {
    enableCompileCache(folder);
    require(path);
  } else runScript(program, join(folder, `foundry-cli-${version}-${arch}-${toCommandName()}.cache`));
}

/** The name of the cache: one per command, because a shared one would grow with each and be read by each. */
function toCommandName(): string {
  const [, , first = "", second = ""] = process.argv;
  if (!commandWord.test(first)) return "any";
  return commandWord.test(second) ? `${first}-${second}` : first;
}

/** Runs a file as `require` does, but with a cache: Node 20 has none of its own. */
function runScript({ path, hash, require, importSibling }: CachedProgram, cacheFile: string): void {
  const cache = readCache(cacheFile, hash);
  // The bundle is ASCII, and latin1 is the fastest encoding to read it.
  const text = readFileSync(path, "latin1");
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: path,
    ...(cache === undefined ? {} : { cachedData: cache }),
  });
  if (script.cachedDataRejected !== false) {
    // At exit, the functions that have run are compiled and stored too.
    process.once("exit", () => writeCache(cacheFile, hash, () => script.createCachedData()));
  }
  const module = { exports: {}, importSibling };
  script.runInThisContext()(module.exports, require, module, path, dirname(path));
}

/** Reads a cache file: the hash of the program on the first line, then the compiled code. */
function readCache(file: string, hash: string): Buffer | undefined {
  try {
    const { uid, mode } = statSync(file);
    // Code that another user may write is not run.
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
    const bytes = readFileSync(file);
    const head = `${hash}\n`;
    return bytes.toString("latin1", 0, head.length) === head ? bytes.subarray(head.length) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a cache file atomically: V8 trusts what it is given. */
function writeCache(file: string, hash: string, compile: () => Buffer): void {
  const folder = dirname(file);
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    removeOldCaches(folder, basename(file));
    writeFileSync(draft, Buffer.concat([Buffer.from(`${hash}\n`), compile()]), { flag: "wx", mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // Without a cache the next start is only slower.
    rmSync(draft, { force: true });
  }
}

/** Removes caches beyond the maximum, whatever command and version of Node they are for. */
function removeOldCaches(folder: string, own: string): void {
  const others = readdirSync(folder).filter((name) => name.endsWith(".cache") && name !== own);
  for (const name of others.slice(maxCaches - 1)) rmSync(join(folder, name), { force: true });
}
