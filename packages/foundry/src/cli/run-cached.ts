import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

/** A program in one file of CommonJS, and what is needed to run it. */
export interface CachedProgram {
  readonly path: string;
  /** The hash of the file: V8 compares lengths only. */
  readonly hash: string;
  readonly require: (path: string) => unknown;
  /** Loads a module that lies beside it: code out of a cache cannot. */
  readonly importBeside: (path: string) => Promise<unknown>;
}

/** What stands on the first line of a cache, the compiled code behind it. */
interface Head {
  readonly hash: string;
  /** The first words of command lines that ran: their code is in it. */
  readonly words: readonly string[];
}

const mostWords = 32;
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
  } else runScript(program, join(folder, `foundry-cli-${version}-${arch}.cache`));
}

function toCacheFolder({ XDG_CACHE_HOME: cache }: NodeJS.ProcessEnv): string {
  return join(cache === undefined || cache === "" ? join(homedir(), ".cache") : cache, "foundry-mcp");
}

/** As `require` runs a file, but with a cache: Node 20 has none of its own. */
function runScript({ path, hash, require, importBeside }: CachedProgram, cacheFile: string): void {
  const cache = readCache(cacheFile, hash);
  // The bundle is ASCII: one byte for a character is the quickest way to read it.
  const text = readFileSync(path, "latin1");
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: path,
    ...(cache === undefined ? {} : { cachedData: cache.code }),
  });
  const { words = [] } = (script.cachedDataRejected === false && cache) || {};
  const [, , word = ""] = process.argv;
  const isNew = someWord.test(word) && !words.includes(word) && words.length < mostWords;
  if (script.cachedDataRejected !== false || isNew) {
    const head: Head = { hash, words: isNew ? [...words, word] : words };
    // What has run by then is compiled, and is kept with the rest.
    process.once("exit", () => writeCache(cacheFile, head, () => script.createCachedData()));
  }
  const module = { exports: {}, importBeside };
  script.runInThisContext()(module.exports, require, module, path, dirname(path));
}

function readCache(file: string, hash: string): (Head & { readonly code: Buffer }) | undefined {
  try {
    const { uid, mode } = statSync(file);
    // Code that somebody else may write is not run.
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
    const bytes = readFileSync(file);
    const end = bytes.indexOf("\n");
    const head = JSON.parse(bytes.toString("utf8", 0, end)) as Head;
    return head.hash === hash ? { ...head, code: bytes.subarray(end + 1) } : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all: V8 trusts what it is given. */
function writeCache(file: string, head: Head, compile: () => Buffer): void {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), compile()]), {
      flag: "wx",
      mode: 0o600,
    });
    renameSync(draft, file);
  } catch {
    // Without it the next start is slower, and that is all.
    rmSync(draft, { force: true });
  }
}
