import { createHash, randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import type { FileSystem } from "./file-system.ts";
import { currentProcess, isPidInUse } from "./process-identity.ts";

const pattern = /^\..*\.([0-9a-f]{8})-([1-9][0-9]*)-[0-9a-f]{16}\.tmp$/s;

/** The prefix of all temporary files for one file; shortened because file systems limit the length of names. */
function prefixFor(path: string): string {
  return `.${basename(path).slice(0, 60).toWellFormed()}.`;
}

/** A free path in the folder of a file; its name identifies the process and machine that created it. */
export async function temporaryPath(path: string): Promise<string> {
  const nonce = randomBytes(8).toString("hex");
  return join(dirname(path), `${prefixFor(path)}${await pidScope()}-${process.pid}-${nonce}.tmp`);
}

/** True for the name of a temporary file that any process created for this file. */
export function isTemporaryFor(path: string, name: string): boolean {
  return name.startsWith(prefixFor(path)) && pattern.test(name);
}

/** The state of the process that created a temporary file: `far` on another machine; undefined for other files. */
export async function findCreator(name: string): Promise<"running" | "gone" | "far" | undefined> {
  const [, scope, pid] = pattern.exec(name) ?? [];
  if (scope === undefined) return undefined;
  if (scope !== (await pidScope())) return "far";
  return isPidInUse(Number(pid)) ? "running" : "gone";
}

/** A short hash of the machine, boot and namespace within which a pid is unique. */
async function pidScope(): Promise<string> {
  const { host, bootId, namespace } = await currentProcess();
  return createHash("sha256").update(`${host}\n${bootId}\n${namespace}`).digest("hex").slice(0, 8);
}

/** No write takes this long: an older temporary file is stale, whatever process created it. */
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
