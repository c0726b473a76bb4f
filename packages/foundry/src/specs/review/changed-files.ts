import { createHash } from "node:crypto";
import { join, posix, relative, sep } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { createWorkspaceFiles, resolveLinks, systemErrorCode } from "@foundry-mcp/toolkit/files";
import { DiffUnavailable } from "./diff-unavailable.ts";
import { findGit } from "./find-git.ts";
import { findRepository, type GitRepository } from "./git-repository.ts";
import { type RunGit, withIsolatedGit } from "./isolated-git.ts";
import { diffLines } from "./line-diff.ts";
import { toOpenPath } from "./open-path.ts";

/** The files whose changes are wanted. */
export interface ChangesRequest {
  /** The folder that paths start from, and that nothing outside of is read. */
  readonly folder: string;
  /** Files and folders, as a spec names them. */
  readonly paths: readonly string[];
  /** Changes are shown from the last commit before this time. @default from the commit that is checked out */
  readonly since?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Where git is searched. @default PATH of the environment */
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

/** The changes of files since a commit, committed or not. */
export interface FileChanges {
  /** The commit that files are compared with; null for none, so that every file is new. */
  readonly base: string | null;
  readonly files: readonly ChangedFile[];
  readonly omitted: readonly OmittedFile[];
}

const timeoutMs = 20_000;
const maxPaths = 500;
const maxFiles = 500;
const maxListBytes = 8 * 2 ** 20;
const maxFileBytes = 2 ** 20;
/** The maximum size of everything that is compared. */
const maxTotalBytes = 16 * 2 ** 20;

/** A file in a commit. */
interface CommittedFile {
  readonly id: string;
  readonly mode: string;
  readonly size: number;
}

/**
 * Shows how files differ from a commit. git lists and reads objects; the files of the work tree are read and compared
 * here, because git would run the filters that their repository configures.
 */
export async function readChanges(request: ChangesRequest): Promise<FileChanges> {
  const { folder, paths, since, signal, path = process.env["PATH"] } = request;
  const program = findGit(path, folder);
  if (program === undefined) throw new DiffUnavailable("git is not installed outside of the workspace");
  const repository = await findRepository(folder);
  const { wanted, refused } = selectPaths(folder, paths);
  if (wanted.length === 0) return { base: null, files: [], omitted: refused };
  return withIsolatedGit({ program, timeoutMs, signal }, repository, async (run) => {
    const base = await findBase(run, repository, since);
    // The folder may be a part of the repository.
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

/** Splits paths into those that may be read, relative to the folder, and the others. */
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

/** Returns the last commit on the first-parent line before a time; without a time the one that is checked out. */
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

/** Lists the files that git tracks or would track: those that .gitignore names are no part of the work. */
async function listWorkTree(run: RunGit, pathspecs: readonly string[]): Promise<readonly string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--full-name", "--"];
  // A folder that is a repository of its own is listed with a slash.
  return toNames(await run([...args, ...pathspecs], maxListBytes)).filter((name) => !name.endsWith("/"));
}

function toNames(output: Buffer): readonly string[] {
  return output.toString("utf8").split("\0").filter(Boolean);
}

/** Compares files one after the other, within limits. */
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
    if (old === undefined) return omit("git cannot read what it was");
    this.#bytes += old.length + (after?.length ?? 0);
    if (this.#bytes > maxTotalBytes) return omit("everything before it took up the room");
    if (isBinary(old) || (after !== undefined && isBinary(after)))
      return omit("it is binary, and has changed");
    const text = old.toString("utf8");
    const { added, removed, hunks } = diffLines(text, withLineEndsOf(text, after?.toString("utf8") ?? ""));
    const status = before === undefined ? "added" : after === undefined ? "deleted" : "modified";
    if (status === "modified" && hunks === "") return;
    this.files.push({ path, status, lines_added: added, lines_removed: removed, diff: hunks });
  }

  /** Reads a file of the work tree; undefined if it is missing, a text if it is not read. */
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

  /** Reads a file of a commit; undefined if it is missing, as in a partial clone. */
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

/** A file with a NUL character near its beginning, as git decides it. */
function isBinary(content: Buffer): boolean {
  return content.subarray(0, 8_000).includes(0);
}

/** Line ends that a checkout converted are no change. */
function withLineEndsOf(before: string, after: string): string {
  return before !== "" && !before.includes("\r\n") ? after.replaceAll("\r\n", "\n") : after;
}
