import { createHash, randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import {
  type FileSystem,
  parseTemporaryName,
  temporaryPrefix,
  toTemporaryName,
  unlessMissing,
} from "@foundry-mcp/toolkit/files";
import { currentProcess, isPidInUse } from "./process-identity.ts";

/**
 * Returns a free path in the folder of a file. The file name identifies the process and machine that created it.
 * `nonce` has 16 hexadecimal digits.
 */
export async function temporaryPath(
  path: string,
  nonce: string = randomBytes(8).toString("hex"),
): Promise<string> {
  const origin = { scope: await pidScope(), pid: process.pid };
  return join(dirname(path), toTemporaryName(path, origin, nonce));
}

/** Returns the nonce of a temporary file that any process created for this file; undefined for any other file. */
export function nonceOfTemporary(path: string, name: string): string | undefined {
  return name.startsWith(temporaryPrefix(path)) ? parseTemporaryName(name)?.nonce : undefined;
}

/**
 * Returns the state of the process that created a temporary file. The state is `far` if the process is on another
 * machine. Returns undefined if the file is not a temporary file.
 */
export async function findCreator(name: string): Promise<"running" | "gone" | "far" | undefined> {
  const origin = parseTemporaryName(name);
  if (origin === undefined) return undefined;
  if (origin.scope !== (await pidScope())) return "far";
  return isPidInUse(origin.pid) ? "running" : "gone";
}

/** Returns a short hash of the machine, boot and namespace within which a pid is unique. */
async function pidScope(): Promise<string> {
  const { host, bootId, namespace } = await currentProcess();
  return createHash("sha256").update(`${host}\n${bootId}\n${namespace}`).digest("hex").slice(0, 8);
}

/**
 * The maximum age of a temporary file. A write never takes this long, so an older file is stale regardless of the
 * process that created it.
 */
const maxAgeMs = 3_600_000;

/** Removes the temporary files of dead processes from a folder, and returns their names. */
export async function removeStaleTemporaries(fs: FileSystem, folder: string): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of (await unlessMissing(fs.readdir(folder))) ?? []) {
    if (!(await isStale(fs, folder, name))) continue;
    await unlessMissing(fs.unlink(join(folder, name)));
    removed.push(name);
  }
  return removed;
}

async function isStale(fs: FileSystem, folder: string, name: string): Promise<boolean> {
  const creator = await findCreator(name);
  if (creator === undefined || creator === "gone") return creator === "gone";
  const file = await unlessMissing(fs.lstat(join(folder, name)));
  return file !== undefined && Date.now() - file.mtimeMs > maxAgeMs;
}
