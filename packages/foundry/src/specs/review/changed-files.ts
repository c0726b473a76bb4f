import { createHash } from "node:crypto";
import { join, posix, relative, sep } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { createWorkspaceFiles, resolveLinks, systemErrorCode } from "@foundry-mcp/toolkit/files";
import { findProgram } from "../../files/find-program.ts";
import { DiffUnavailable } from "./diff-unavailable.ts";
import { findRepository, type GitRepository } from "./git-repository.ts";
import { type RunGit, withIsolatedGit } from "./isolated-git.ts";
import { diffLines } from "./line-diff.ts";
import { toOpenPath } from "./open-path.ts";

/** A request for the changes of files. */
export interface ChangesRequest {
  /** The folder that paths are relative to. No file outside this folder is read. */
  readonly folder: string;
  /** The files and folders, as a spec names them. */
  readonly paths: readonly string[];
  /**
   * The time since which changes are shown. Files are compared with the last commit before this time.
   * @default the commit that is checked out
   */
  readonly since?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * The folders in which git is searched, in the form of the PATH variable.
   * @default PATH of the environment
   */
  readonly path?: string | undefined;
}

/** A file that was changed, with its diff. */
export interface ChangedFile {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted";
  readonly lines_added: number;
  readonly lines_removed: number;
  /** The hunks of a unified diff. */
  readonly diff: string;
}

/** A file that is not shown. */
export interface OmittedFile {
  readonly path: string;
  readonly reason: string;
}

/** The changes of files since a commit. Changes that are not committed are included. */
export interface FileChanges {
  /**
   * The commit that files are compared with. If there is no such commit, the value is null and every file
   * counts as new.
   */
  readonly base: string | null;
  readonly files: readonly ChangedFile[];
  readonly omitted: readonly OmittedFile[];
}

const timeoutMs = 20_000;
const maxPaths = 500;
const maxFiles = 500;
const maxListBytes = 8 * 2 ** 20;
const maxFileBytes = 2 ** 20;
/** The maximum total size of the compared files. */
const maxTotalBytes = 16 * 2 ** 20;

/** A file in a commit. */
interface CommittedFile {
  readonly id: string;
  readonly mode: string;
  readonly size: number;
}

/**
 * Shows the differences between files and a commit. git only lists and reads objects. The files of the work
 * tree are read and compared here, because git would run the filters that the repository configures.
 */
export async function readChanges(request: ChangesRequest): Promise<FileChanges> {
  const { folder, paths, since, signal, path = process.env["PATH"] } = request;
  const program = findProgram("git", { path, workspace: folder });
  if (program === undefined) throw new DiffUnavailable("git is not installed outside of the workspace");
  const repository = await findRepository(folder);
  const { wanted, refused } = selectPaths(folder, paths);
  if (wanted.length === 0) return { base: null, files: [], omitted: refused };
  return withIsolatedGit({ program, timeoutMs, signal }, repository, async (run) => {
    const base = await findBase(run, repository, since);
    // The folder may be a subfolder of the repository.
    const prefix = relative(repository.root, resolveLinks(folder) ?? folder)
      .split(sep)
      .join("/");
    const pathspecs = wanted.map((each) => posix.join(prefix, each));
    const before =
      base === undefined ? new Map<string, CommittedFile>() : await listCommit(run, base, pathspecs);
    const present = await listWorkTree(run, pathspecs);
    const names = [...new Set([...before.keys(), ...present])].toSorted();
    const reader = new ChangeReader(run, folder, repository, prefix);
    for (const name of names.slice(0, maxFiles)) {
      signal?.throwIfAborted();
      await reader.compare(name, before.get(name));
    }
    const unlisted = wanted.filter((_, at) => {
      const pathspec = pathspecs[at] as string;
      return !names.some((name) => name === pathspec || name.startsWith(`${pathspec}/`));
    });
    return {
      base: base ?? null,
      files: reader.files,
      omitted: [
        ...refused,
        ...reader.omitted,
        ...unlisted.map((each) => ({ path: each, reason: "it does not exist, or git ignores it" })),
        ...(names.length > maxFiles
          ? [{ path: "…", reason: `only the first ${maxFiles} of ${names.length} files are compared` }]
          : []),
      ],
    };
  });
}

/**
 * Splits paths into paths that may be read and paths that are refused. The paths that may be read are
 * converted to paths relative to the folder.
 */
function selectPaths(
  folder: string,
  paths: readonly string[],
): { readonly wanted: readonly string[]; readonly refused: readonly OmittedFile[] } {
  const wanted = new Set<string>();
  const refused: OmittedFile[] = [];
  for (const path of new Set(paths)) {
    const open = toOpenPath(folder, path);
    if (open === undefined) refused.push({ path, reason: "it is outside of the workspace, or private" });
    else if (wanted.size >= maxPaths) refused.push({ path, reason: `it is not among the first ${maxPaths}` });
    else wanted.add(open);
  }
  return { wanted: [...wanted], refused };
}

/**
 * Returns the last commit before a time on the first-parent line. Without a time, returns the commit that is
 * checked out.
 */
async function findBase(
  run: RunGit,
  { head, shallow }: GitRepository,
  since: string | undefined,
): Promise<string | undefined> {
  if (head === undefined || since === undefined) return head;
  const seconds = Math.floor(Date.parse(since) / 1_000);
  const args = ["rev-list", "--first-parent", "-n", "1", `--min-age=${seconds}`, head, "--"];
  const found = (await run(args, 1_000)).toString("utf8").trim();
  if (found === "" && shallow !== undefined)
    throw new DiffUnavailable("the clone is shallow, and its history begins after the start of the work");
  return found === "" ? undefined : found;
}

async function listCommit(
  run: RunGit,
  commit: string,
  pathspecs: readonly string[],
): Promise<Map<string, CommittedFile>> {
  const output = await run(
    ["ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", ...pathspecs],
    maxListBytes,
  );
  const entries = toNames(output).flatMap((line): readonly (readonly [string, CommittedFile])[] => {
    const [, mode = "", kind, id = "", size, name = ""] =
      /^(\d+) (\w+) ([0-9a-f]+) +(\S+)\t(.*)$/s.exec(line) ?? [];
    return kind === "blob" ? [[name, { id, mode, size: Number(size) }]] : [];
  });
  return new Map(entries);
}

/**
 * Lists the files that git tracks or would track. Files that .gitignore excludes are not part of the work.
 */
async function listWorkTree(run: RunGit, pathspecs: readonly string[]): Promise<readonly string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--full-name", "--"];
  // A subfolder that is itself a repository is listed with a trailing slash.
  return toNames(await run([...args, ...pathspecs], maxListBytes)).filter((name) => !name.endsWith("/"));
}

function toNames(output: Buffer): readonly string[] {
  return output.toString("utf8").split("\0").filter(Boolean);
}

/** Compares files one after the other, within limits on their number and size. */
class ChangeReader {
  readonly files: ChangedFile[] = [];
  readonly omitted: OmittedFile[] = [];
  readonly #run: RunGit;
  readonly #folder: string;
  readonly #repository: GitRepository;
  readonly #prefix: string;
  #bytes = 0;

  constructor(run: RunGit, folder: string, repository: GitRepository, prefix: string) {
    this.#run = run;
    this.#folder = folder;
    this.#repository = repository;
    this.#prefix = prefix;
  }

  async compare(name: string, before: CommittedFile | undefined): Promise<void> {
    const path = this.#prefix === "" ? name : name.slice(this.#prefix.length + 1);
    const omit = (reason: string) => void this.omitted.push({ path, reason });
    if (toOpenPath(this.#folder, path) !== path) return omit("it is outside of the workspace, or private");
    if (before?.mode.startsWith("12")) return omit("it was a symbolic link");
    const after = await this.#read(path);
    if (typeof after === "string") return omit(after);
    if (before === undefined && after === undefined) return;
    if (before !== undefined && after !== undefined && this.#isBlob(after, before.id)) return;
    if ((before?.size ?? 0) > maxFileBytes) return omit("it was too large");
    const old = before === undefined ? Buffer.alloc(0) : await this.#readBlob(before.id);
    if (old === undefined) return omit("git cannot read its earlier text");
    this.#bytes += old.length + (after?.length ?? 0);
    if (this.#bytes > maxTotalBytes) return omit("the files before it filled the diff");
    if (isBinary(old) || (after !== undefined && isBinary(after)))
      return omit("it is binary, and has changed");
    const text = old.toString("utf8");
    const { added, removed, hunks } = diffLines(text, withLineEndsOf(text, after?.toString("utf8") ?? ""));
    const status = before === undefined ? "added" : after === undefined ? "deleted" : "modified";
    if (status === "modified" && hunks === "") return;
    this.files.push({ path, status, lines_added: added, lines_removed: removed, diff: hunks });
  }

  /**
   * Reads a file of the work tree. Returns undefined if the file is missing, and the reason as a text if the
   * file is not read.
   */
  async #read(path: string): Promise<Buffer | string | undefined> {
    const files = createWorkspaceFiles({ root: this.#folder });
    const file = join(this.#folder, path);
    try {
      const stat = await files.lstat(file);
      if (stat.isSymbolicLink()) return "it is a symbolic link";
      if (!stat.isFile()) return "it is no regular file";
      if (stat.size > maxFileBytes) return "it is too large";
      return (await files.readFile(file, maxFileBytes)).bytes;
    } catch (error) {
      if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(error))) return undefined;
      if (isContractError(error) || systemErrorCode(error) !== "") return "it cannot be read";
      throw error;
    }
  }

  /** Reads a file of a commit; undefined if its content is missing, as in a partial clone. */
  async #readBlob(id: string): Promise<Buffer | undefined> {
    try {
      return await this.#run(["cat-file", "blob", id], maxFileBytes);
    } catch (error) {
      if (error instanceof DiffUnavailable) return undefined;
      throw error;
    }
  }

  #isBlob(content: Buffer, id: string): boolean {
    const algorithm = this.#repository.head?.length === 64 ? "sha256" : "sha1";
    return createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest("hex") === id;
  }
}

/**
 * True for content with a NUL character near its beginning. git uses the same rule to detect binary files.
 */
function isBinary(content: Buffer): boolean {
  return content.subarray(0, 8_000).includes(0);
}

/**
 * Removes carriage returns from the later text if the earlier text has none, because line ends that a
 * checkout converted are not a change.
 */
function withLineEndsOf(before: string, after: string): string {
  return before !== "" && !before.includes("\r\n") ? after.replaceAll("\r\n", "\n") : after;
}
