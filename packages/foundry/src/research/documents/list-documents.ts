import { isAbsolute, join, relative, sep } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import type { FileTree, TreeEntry } from "@foundry-mcp/toolkit/files";
import { remediationOf } from "./document-failures.ts";
import { typeOfName } from "./document-types.ts";
import { type FileAccess, fromFileSystemError, locateFile, openTree } from "./read-local-file.ts";
import { UnusableDocument } from "./unusable-document.ts";

/** The limits of a listing. */
export interface ListOptions extends FileAccess {
  /** The maximum number of documents. @default 10_000 */
  readonly maxDocuments?: number | undefined;
  /** The maximum number of directory entries of any kind. @default 200_000 */
  readonly maxEntries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A part of a source that was not read, and the reason. */
export interface LeftOut {
  /** The path or URL, or the name of a search. */
  readonly name: string;
  /** A machine-readable reason, such as `not_a_document`. */
  readonly reason: string;
  readonly error: string;
  readonly remediation?: string | undefined;
}

/** The contents of a folder and its subfolders. Every omission is reported. */
export interface DocumentListing {
  /** The paths of documents, sorted by code units. */
  readonly documents: readonly string[];
  /**
   * Files that are not documents according to their names, and folders that are not entered. The names of these
   * folders end with a slash.
   */
  readonly others: readonly string[];
  /** The parts that could not be listed. */
  readonly problems: readonly LeftOut[];
  /** The number of documents that were not listed because of the maximum. */
  readonly rest: number;
}

/**
 * Lists the documents of a folder and its subfolders. Returns undefined if the path is not a folder. Hidden folders,
 * node_modules and symbolic links to folders are not entered.
 */
export async function listDocuments(
  path: string,
  options: ListOptions,
): Promise<DocumentListing | undefined> {
  const { maxDocuments = 10_000, maxEntries = 200_000, signal } = options;
  const real = await findFolder(path, options);
  if (real === undefined) return undefined;
  const walk = new Walk(openTree(options));
  const pending = [{ path: isAbsolute(path) ? join(path) : relative("", join(path)), real }];
  // Folders are entered in sorted order, so that the limit always excludes the same folders.
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    signal?.throwIfAborted();
    if (walk.entries >= maxEntries) walk.skip(folder.path || ".", maxEntries);
    else pending.push(...(await walk.enter(folder)).reverse());
  }
  return walk.toListing(path, maxDocuments);
}

/** Returns the resolved path of a folder, or undefined if the path is not a folder. */
async function findFolder(path: string, access: FileAccess): Promise<string | undefined> {
  try {
    const { path: real, stat } = await locateFile(path, access);
    return stat.isDirectory() ? real : undefined;
  } catch {
    // The error is not reported here. The caller then reads the path as a file, which fails with the same error.
    return undefined;
  }
}

interface Folder {
  readonly path: string;
  readonly real: string;
}

/** A traversal of folders, with its results. */
class Walk {
  entries = 0;
  readonly #tree: FileTree;
  readonly #documents: string[] = [];
  readonly #others: string[] = [];
  readonly #problems: LeftOut[] = [];

  constructor(tree: FileTree) {
    this.#tree = tree;
  }

  /** Reads a folder and returns the subfolders to enter. */
  async enter(folder: Folder): Promise<Folder[]> {
    const subfolders: Folder[] = [];
    try {
      // A folder that was replaced by a link after it was listed is refused.
      const entries = await this.#tree.list(folder.real);
      this.entries += entries.length;
      for (const entry of entries.toSorted(byName)) {
        const path = join(folder.path, entry.name).split(sep).join("/");
        const real = join(folder.real, entry.name);
        const isEntered = !entry.name.startsWith(".") && entry.name !== "node_modules";
        if (entry.kind === "folder" && isEntered) subfolders.push({ path, real });
        else await this.#add(entry, path, real);
      }
    } catch (err) {
      this.#addProblem(folder.path || ".", err);
    }
    return subfolders;
  }

  /** Reports a folder that is not entered because of the limit. */
  skip(path: string, maxEntries: number): void {
    const error = `It was not looked at: there are more than ${maxEntries.toLocaleString("en")} entries`;
    this.#problems.push(tooMany(path, error));
  }

  toListing(path: string, most: number): DocumentListing {
    const documents = this.#documents.sort();
    const rest = Math.max(0, documents.length - most);
    const problems = this.#problems.sort(byName);
    const error = `It holds ${rest.toLocaleString("en")} documents more than ${most.toLocaleString("en")}`;
    if (rest > 0) problems.push(tooMany(path, error));
    return { documents: documents.slice(0, most), others: this.#others.sort(), problems, rest };
  }

  async #add(entry: TreeEntry, path: string, real: string): Promise<void> {
    const isDocument = typeOfName(entry.name) !== undefined && !entry.name.startsWith(".");
    if (entry.kind === "folder") this.#others.push(`${path}/`);
    else if (isDocument && entry.kind === "file") this.#documents.push(path);
    else if (isDocument) await this.#addSpecial(path, real);
    else this.#others.push(path);
  }

  /** Adds a link, a pipe, or an entry of unknown type according to the file to which it resolves. */
  async #addSpecial(path: string, real: string): Promise<void> {
    try {
      const { stat } = await this.#tree.locate(real);
      if (stat.isFile()) this.#documents.push(path);
      else this.#others.push(stat.isDirectory() ? `${path}/` : path);
    } catch (err) {
      this.#addProblem(path, err);
    }
  }

  #addProblem(name: string, err: unknown): void {
    const failure = isContractError(err) ? leadsOutside() : fromFileSystemError(err);
    if (!(failure instanceof UnusableDocument)) throw failure;
    const { reason, message } = failure;
    this.#problems.push({ name, reason, error: message, remediation: remediationOf(reason) });
  }
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function tooMany(name: string, error: string): LeftOut {
  return { name, reason: "too_many", error, remediation: "Name smaller folders." };
}

function leadsOutside(): UnusableDocument {
  return new UnusableDocument("forbidden", "A link leads out of the folder whose files may be read");
}
