import { readFileSync } from "node:fs";
import nodeModule from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { ContractError } from "@foundry-mcp/contract";
import { toCacheFolder } from "../config/user-folders.ts";
import { readCache, writeCache } from "./program-cache.ts";
import { ProgramText } from "./program-image.ts";

/** A program in one CommonJS file, and the functions to run it. */
export interface CachedProgram {
  readonly path: string;
  /** The hash of the file, needed because V8 compares only the length of the source. */
  readonly hash: string;
  readonly require: (path: string) => unknown;
  /** Imports a module from the same folder, because code from a cache cannot import modules. */
  readonly importSibling: (path: string) => Promise<unknown>;
  /**
   * The name of the program's cache. A name with an underscore or a digit cannot be the name of a command's cache.
   * @default a separate name for each command
   */
  readonly cacheName?: string;
}

const commandWord = /^(?:[a-z][a-z-]{0,19}|__complete)$/;

/**
 * Runs a program with V8's compiled code from an earlier run, which halves the start time. The compiled code is
 * stored in the user's cache folder. If the compiled code is missing, the program still runs.
 *
 * NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE have the same meaning as in Node. Returns the exports of the
 * program.
 */
export function runCached(program: CachedProgram): unknown {
  const { path, require } = program;
  const { env, version, arch } = process;
  const folder = env["NODE_COMPILE_CACHE"] ?? toCacheFolder(env);
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  if (folder === undefined || env["NODE_DISABLE_COMPILE_CACHE"] !== undefined) return require(path);
  if (enableCompileCache !== undefined) {
    enableCompileCache(folder);
    return require(path);
  }
  const { cacheName = toCommandName() } = program;
  return runScript(program, join(folder, `foundry-cli-${version}-${arch}-${cacheName}.cache`));
}

/**
 * Returns the name of the cache. Each command has a separate cache, because every command would have to read all of a
 * shared cache.
 */
function toCommandName(): string {
  const [, , first = "", second = ""] = process.argv;
  if (!commandWord.test(first)) return "any";
  return commandWord.test(second) ? `${first}-${second}` : first;
}

/**
 * Runs a file like `require`, but with a cache of compiled code, because Node 20 has no such cache.
 *
 * The first run of a command stores the text of the modules that the command used. The second run runs this text, and
 * stores its compiled code. A later run that needs another module adds this module in the same way.
 */
function runScript({ path, hash, require, importSibling }: CachedProgram, cacheFile: string): unknown {
  const cache = readCache(cacheFile, hash);
  // The bundle is ASCII, and latin1 is the fastest encoding in which to read it.
  const text = cache?.text ?? readFileSync(path, "latin1");
  // The whole program, if the cache lacks a module that this run uses.
  let whole = cache === undefined ? new ProgramText(text) : undefined;
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: path,
    ...(cache?.compiled === undefined ? {} : { cachedData: cache.compiled }),
  });
  const used = new Set<string>();
  process.once("exit", () => {
    if (whole !== undefined) {
      const known = cache === undefined ? [] : new ProgramText(cache.text).parts;
      writeCache(cacheFile, { hash, text: whole.select(new Set([...known, ...used])) });
    } else if (script.cachedDataRejected !== false) {
      // The code is compiled at exit, so that it also contains the functions that have run.
      writeCache(cacheFile, { hash, text, compiled: script.createCachedData() });
    }
  });
  const module = {
    exports: {},
    importSibling,
    onUse: cache === undefined ? (name: string) => used.add(name) : undefined,
    readPart: (name: string) => {
      whole ??= new ProgramText(readAgain(path, hash));
      used.add(name);
      return whole.readModule(name);
    },
  };
  script.runInThisContext()(module.exports, require, module, path, dirname(path));
  return module.exports;
}

/**
 * Reads the file of a program that is running. Throws if the file has another hash, because a server can run while its
 * package is updated, and modules of two versions do not fit together.
 */
function readAgain(path: string, hash: string): string {
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch (cause) {
    throw toLoadError("its file cannot be read, perhaps because of an update", cause);
  }
  // An import would load the cryptography of Node at every start.
  const { createHash } = process.getBuiltinModule("node:crypto");
  if (createHash("sha256").update(text, "latin1").digest("hex") === hash) return text;
  throw toLoadError("the program was updated while it ran and must be restarted");
}

function toLoadError(reason: string, cause?: unknown): ContractError {
  return new ContractError(`Cannot load a part of the program: ${reason}`, {
    errorCode: "UNAVAILABLE",
    remediation: "Restart the program, then try again.",
    cause,
  });
}
