import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { remediationOf } from "./document-failures.ts";
import { typeOfName } from "./document-types.ts";
import { type FileAccess, isWithin, resolvePath, toUnusable } from "./read-file.ts";
import { UnusableDocument } from "./unusable-document.ts";

/** How a folder is looked through. */
export interface ListOptions extends FileAccess {
  /** So many documents are listed at most. @default 10_000 */
  readonly most?: number | undefined;
  /** So many entries are looked at, most of them no documents perhaps. @default 200_000 */
  readonly mostEntries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What of a folder could not be looked at, and why. */
export interface ListingProblem {
  readonly name: string;
  readonly reason: string;
  readonly error: string;
  readonly remediation?: string | undefined;
}

/** What a folder and all folders in it hold; nothing of it is passed over in silence. */
export interface DocumentListing {
  /** Paths that can be read as they are, in the order of their code units. */
  readonly documents: readonly string[];
  /** What is no document by its name, and folders that are not entered, with a slash at their end. */
  readonly others: readonly string[];
  readonly problems: readonly ListingProblem[];
  /** How many documents there are beyond those that are listed. */
  readonly rest: number;
}

/**
 * The documents of a folder, those in its folders too; undefined where the path is no folder. Hidden folders,
 * node_modules and links to folders are not entered.
 */
export async function listDocuments(
  path: string,
  options: ListOptions,
): Promise<DocumentListing | undefined> {
  const { most = 10_000, mostEntries = 200_000, signal } = options;
  const root = await findFolder(path, options);
  if (root === undefined) return undefined;
  const walk = new Walk(root.confines);
  const waiting = [{ path: isAbsolute(path) ? join(path) : relative("", join(path)), real: root.real }];
  // Folders are taken in their order, so that it is always the same ones that are too many.
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    signal?.throwIfAborted();
    if (walk.entries >= mostEntries) walk.leave(folder.path || ".", mostEntries);
    else waiting.push(...(await walk.enter(folder)).reverse());
  }
  return walk.toListing(path, most);
}

/** Where a folder lies, and what links in it must not lead out of. */
async function findFolder(path: string, place: FileAccess) {
  try {
    const real = await realpath(await resolvePath(path, place));
    const confines = place.isConfined ? await realpath(place.folder) : undefined;
    return (await stat(real)).isDirectory() ? { real, confines } : undefined;
  } catch {
    // Whoever reads it as a file is told what is wrong with it.
    return undefined;
  }
}

interface Folder {
  readonly path: string;
  readonly real: string;
}

/** What a walk through folders has found. */
class Walk {
  entries = 0;
  readonly #confines: string | undefined;
  readonly #documents: string[] = [];
  readonly #others: string[] = [];
  readonly #problems: ListingProblem[] = [];

  constructor(confines: string | undefined) {
    this.#confines = confines;
  }

  /** Looks at what is in a folder, and tells which folders are to be entered. */
  async enter(folder: Folder): Promise<Folder[]> {
    const inside: Folder[] = [];
    try {
      // A folder may have become a link since it was seen.
      if ((await realpath(folder.real)) !== folder.real) throw leadsOut();
      const entries = await readdir(folder.real, { withFileTypes: true });
      this.entries += entries.length;
      for (const entry of entries.sort(byName)) {
        const path = join(folder.path, entry.name).split(sep).join("/");
        const real = join(folder.real, entry.name);
        if (entry.isDirectory() && isEntered(entry)) inside.push({ path, real });
        else await this.#take(entry, path, real);
      }
    } catch (err) {
      this.#fail(folder.path || ".", err);
    }
    return inside;
  }

  /** Tells of a folder that is not entered because too much was seen already. */
  leave(path: string, mostEntries: number): void {
    const error = `It was not looked at: there are more than ${mostEntries.toLocaleString("en")} entries`;
    this.#problems.push({ name: path, reason: "too_many", error, remediation: "Name smaller folders." });
  }

  toListing(path: string, most: number): DocumentListing {
    const documents = this.#documents.sort();
    const rest = Math.max(0, documents.length - most);
    const problems = this.#problems.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    if (rest > 0)
      problems.push({
        name: path,
        reason: "too_many",
        error: `It holds ${rest.toLocaleString("en")} documents more than ${most.toLocaleString("en")}`,
        remediation: "Name smaller folders.",
      });
    return { documents: documents.slice(0, most), others: this.#others.sort(), problems, rest };
  }

  async #take(entry: Dirent, path: string, real: string): Promise<void> {
    const isDocument = typeOfName(entry.name) !== undefined && !entry.name.startsWith(".");
    if (entry.isDirectory()) this.#others.push(`${path}/`);
    else if (isDocument && entry.isFile()) this.#documents.push(path);
    else if (isDocument) await this.#takeOther(path, real);
    else this.#others.push(path);
  }

  /** A link, or a pipe, or what a file system does not tell: what it leads to decides. */
  async #takeOther(path: string, real: string): Promise<void> {
    try {
      const target = await realpath(real);
      if (this.#confines !== undefined && !isWithin(target, this.#confines)) throw leadsOut();
      const stats = await stat(target);
      if (stats.isFile()) this.#documents.push(path);
      else this.#others.push(stats.isDirectory() ? `${path}/` : path);
    } catch (err) {
      this.#fail(path, err);
    }
  }

  #fail(name: string, err: unknown): void {
    const failure = toUnusable(err);
    if (!(failure instanceof UnusableDocument)) throw failure;
    const { reason, message } = failure;
    this.#problems.push({ name, reason, error: message, remediation: remediationOf(reason) });
  }
}

function isEntered({ name }: Dirent): boolean {
  return !name.startsWith(".") && name !== "node_modules";
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function leadsOut(): UnusableDocument {
  return new UnusableDocument("forbidden", "A link leads out of the folder whose files may be read");
}
