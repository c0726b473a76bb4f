import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { toCacheFolder } from "../config/cache-folder.ts";

/** A program in one file of CommonJS, and what is needed to run it. */
export interface CachedProgram {
  readonly path: string;
  /** The hash of the file: V8 compares lengths only. */
  readonly hash: string;
  readonly require: (path: string) => unknown;
  /** Loads a module that lies beside it: code out of a cache cannot. */
  readonly importBeside: (path: string) => Promise<unknown>;
}

const mostCaches = 40;
const someWord = /^[a-z][a-z-]{0,19}$/;

/**
 * Runs a program with the code that V8 compiled for it before, which halves the time until it starts. The
 * compiled code lies in the cache folder of the user; where it cannot be kept or read, the program runs without.
 * NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE mean what they mean to Node.
 */
export function runCached(program: CachedProgram): void {
  const { path, require } = program;
  const { env, version, arch } = process;
  const folder = env["NODE_COMPILE_CACHE"] ?? toCacheFolder(env);
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  if (env["NODE_DISABLE_COMPILE_CACHE"] !== undefined) require(path);
  else if (enableCompileCache !== undefined) {
    enableCompileCache(folder);
    require(path);
  } else runScript(program, join(folder, `foundry-cli-${version}-${arch}-${toCommandName()}.cache`));
}

/** A cache for every command: one for all would grow with each, and be read by each. */
function toCommandName(): string {
  const [, , first = "", second = ""] = process.argv;
  if (!someWord.test(first)) return "any";
  return someWord.test(second) ? `${first}-${second}` : first;
}

/** As `require` runs a file, but with a cache: Node 20 has none of its own. */
function runScript({ path, hash, require, importBeside }: CachedProgram, cacheFile: string): void {
  const cache = readCache(cacheFile, hash);
  // The bundle is ASCII: one byte for a character is the quickest way to read it.
  const text = readFileSync(path, "latin1");
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: path,
    ...(cache === undefined ? {} : { cachedData: cache }),
  });
  if (script.cachedDataRejected !== false) {
    // What has run by then is compiled, and is kept with the rest.
    process.once("exit", () => writeCache(cacheFile, hash, () => script.createCachedData()));
  }
  const module = { exports: {}, importBeside };
  script.runInThisContext()(module.exports, require, module, path, dirname(path));
}

/** The hash of the program stands on the first line, the compiled code behind it. */
function readCache(file: string, hash: string): Buffer | undefined {
  try {
    const { uid, mode } = statSync(file);
    // Code that somebody else may write is not run.
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
    const bytes = readFileSync(file);
    const head = `${hash}\n`;
    return bytes.toString("latin1", 0, head.length) === head ? bytes.subarray(head.length) : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all: V8 trusts what it is given. */
function writeCache(file: string, hash: string, compile: () => Buffer): void {
  const folder = dirname(file);
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    makeRoom(folder, basename(file));
    writeFileSync(draft, Buffer.concat([Buffer.from(`${hash}\n`), compile()]), { flag: "wx", mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // Without it the next start is slower, and that is all.
    rmSync(draft, { force: true });
  }
}

/** So many caches are kept, whatever the number of commands and of versions of Node. */
function makeRoom(folder: string, own: string): void {
  const others = readdirSync(folder).filter((name) => name.endsWith(".cache") && name !== own);
  for (const name of others.slice(mostCaches - 1)) rmSync(join(folder, name), { force: true });
}
