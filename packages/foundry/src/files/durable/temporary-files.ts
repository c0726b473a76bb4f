import { createHash, randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import type { FileSystem } from "./file-system.ts";
import { currentProcess, isPidInUse } from "./process-identity.ts";

const pattern = /^\..*\.([0-9a-f]{8})-([1-9][0-9]*)-[0-9a-f]{16}\.tmp$/s;

/** The name that a temporary file shares with all others for the same file; short enough for any disk. */
function prefixFor(path: string): string {
  return `.${basename(path).slice(0, 60).toWellFormed()}.`;
}

/** A free path in the folder of a file; its name tells which process of which machine made it. */
export async function temporaryPath(path: string): Promise<string> {
  const nonce = randomBytes(8).toString("hex");
  return join(dirname(path), `${prefixFor(path)}${await place()}-${process.pid}-${nonce}.tmp`);
}

/** True for the name of a temporary file of any process for this file. */
export function isTemporaryFor(path: string, name: string): boolean {
  return name.startsWith(prefixFor(path)) && pattern.test(name);
}

/** The process that made a temporary file, as far as can be told from here; undefined for other files. */
export async function findCreator(name: string): Promise<"running" | "gone" | "far" | undefined> {
  const [, madeAt, pid] = pattern.exec(name) ?? [];
  if (madeAt === undefined) return undefined;
  if (madeAt !== (await place())) return "far";
  return isPidInUse(Number(pid)) ? "running" : "gone";
}

/** Where the number of a process means something, in few letters. */
async function place(): Promise<string> {
  const { host, bootId, namespace } = await currentProcess();
  return createHash("sha256").update(`${host}\n${bootId}\n${namespace}`).digest("hex").slice(0, 8);
}

/** No write takes so long: what is older belongs to nobody, whoever made it. */
const maxAgeMs = 3_600_000;

/** Removes the temporary files of dead processes from a folder, and gives their names. */
export async function removeStaleTemporaries(fs: FileSystem, folder: string): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of (await unlessMissing(fs.readdir(folder))) ?? []) {
    if (!(await isLeftover(fs, folder, name))) continue;
    await unlessMissing(fs.unlink(join(folder, name)));
    removed.push(name);
  }
  return removed;
}

async function isLeftover(fs: FileSystem, folder: string, name: string): Promise<boolean> {
  const maker = await findCreator(name);
  if (maker === undefined || maker === "gone") return maker === "gone";
  const file = await unlessMissing(fs.lstat(join(folder, name)));
  return file !== undefined && Date.now() - file.mtimeMs > maxAgeMs;
}
