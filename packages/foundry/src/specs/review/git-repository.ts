import { basename, dirname, join, resolve } from "node:path";
import { createFileTree, type FileTree, findKind, resolveLinks } from "@foundry-mcp/toolkit/files";
import { DiffUnavailable } from "./diff-unavailable.ts";

/** The parts of a repository that are used. All paths are absolute, and their links are resolved. */
export interface GitRepository {
  /** The work tree. */
  readonly root: string;
  readonly objects: string;
  /** The path of the index file; undefined if nothing was ever added to the index. */
  readonly index: string | undefined;
  /** The path of the file with the limits of a shallow clone; undefined for a full clone. */
  readonly shallow: string | undefined;
  /** The commit that is checked out; undefined before the first commit. */
  readonly head: string | undefined;
}

const maxRefBytes = 4_096;
const maxPackedRefsBytes = 32 * 2 ** 20;
const maxSymbolicRefs = 5;

/**
 * Finds the repository that contains a folder. HEAD is read without git, because git would read the settings
 * of the repository, which can name programs to run.
 */
export async function findRepository(folder: string): Promise<GitRepository> {
  const start = resolveLinks(folder) ?? folder;
  let root = start;
  while (findKind(join(root, ".git")) === undefined) {
    if (dirname(root) === root) throw new DiffUnavailable("the workspace is not in a git repository");
    root = dirname(root);
  }
  const own = await findGitFolder(root);
  // A linked work tree has its own HEAD and index, and shares all other data with its repository.
  const shared = own.isLinked ? dirname(dirname(own.path)) : own.path;
  const ownFiles = createFileTree({ root: own.path });
  const sharedFiles = createFileTree({ root: shared });
  if (findKind(join(shared, "reftable")) !== undefined)
    throw new DiffUnavailable("the repository keeps its references in reftable format");
  const objects = await sharedFiles.locate("objects").catch(() => undefined);
  if (!objects?.stat.isDirectory()) throw new DiffUnavailable("the repository has no objects of its own");
  const shallow = await sharedFiles.locate("shallow").catch(() => undefined);
  const index = await ownFiles.locate("index").catch(() => undefined);
  return {
    root,
    objects: objects.path,
    index: index?.stat.isFile() ? index.path : undefined,
    shallow: shallow?.stat.isFile() ? shallow.path : undefined,
    head: await resolveHead(ownFiles, sharedFiles),
  };
}

/**
 * Returns the folder that `.git` is or refers to. A `.git` file may refer to any folder. Therefore, the
 * folder of a linked work tree is accepted only if the folder refers back to the work tree.
 */
async function findGitFolder(root: string): Promise<{ readonly path: string; readonly isLinked: boolean }> {
  const mark = join(root, ".git");
  if (resolveLinks(mark) !== mark) throw new DiffUnavailable("its .git is a link");
  if (findKind(mark) === "folder") return { path: mark, isLinked: false };
  const text = await readText(createFileTree({ root }), ".git");
  const named = /^gitdir: (.+)$/.exec(text?.trim() ?? "")?.[1];
  const path = named === undefined ? undefined : resolveLinks(resolve(root, named));
  if (path !== undefined && basename(dirname(path)) === "worktrees") {
    const back = await readText(createFileTree({ root: path }), "gitdir");
    if (back !== undefined && resolveLinks(resolve(path, back.trim())) === mark)
      return { path, isLinked: true };
  }
  throw new DiffUnavailable("its .git file refers to a folder that does not refer back to this work tree");
}

async function resolveHead(own: FileTree, shared: FileTree): Promise<string | undefined> {
  let text = await readText(own, "HEAD");
  for (let links = 0; links < maxSymbolicRefs; links++) {
    const value = text?.trim() ?? "";
    if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value)) return value;
    const name = /^ref: (refs\/.+)$/.exec(value)?.[1];
    if (name === undefined) break;
    text = (await readText(shared, name)) ?? (await readPackedRef(shared, name));
    if (text === undefined) return undefined;
  }
  throw new DiffUnavailable("the HEAD of the repository cannot be read");
}

async function readPackedRef(files: FileTree, name: string): Promise<string | undefined> {
  const text = await readText(files, "packed-refs", maxPackedRefsBytes);
  const line = text?.split("\n").find((each) => each.endsWith(` ${name}`) && !each.startsWith("#"));
  return line?.slice(0, line.indexOf(" "));
}

/**
 * Reads a small file. Returns undefined if the file is missing or too long, is not a regular file, or is a
 * link that leads outside.
 */
async function readText(files: FileTree, path: string, max = maxRefBytes): Promise<string | undefined> {
  return files.readFile(path, max).then(
    (bytes) => bytes.toString("utf8"),
    () => undefined,
  );
}
