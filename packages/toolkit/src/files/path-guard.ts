import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import type { FileCalls } from "./file-calls.ts";
import {
  linkInPrivate,
  linkLeadsNowhere,
  linkLeadsOut,
  notRegular,
  outsideRoot,
  type RefusedFile,
} from "./file-refusals.ts";
import type { ResolvedPath } from "./file-system.ts";
import { resolveLinks } from "./look-up-path.ts";
import { unlessMissing } from "./system-error.ts";

/** A root, its private folder, and the folder that its links must not lead out of. */
export interface GuardedRoot {
  readonly root: string;
  readonly privateFolder: string | undefined;
  readonly boundary: string | undefined;
}

/**
 * The rules for paths below a root. In the private folder, links are not followed, whether the link is the file
 * itself or a folder in its path. Elsewhere, a link is followed if its target is inside the root and outside of the
 * private folder.
 *
 * Checks read the disk each time and cache nothing, because a checkout may create a link anywhere at any time. The
 * checks do not protect against a process that replaces folders between a check and the file operation that
 * follows.
 */
export class PathGuard {
  readonly #root: string;
  /** The folder that the links of the root must not lead out of; undefined if they may lead anywhere. */
  readonly #boundary: string | undefined;
  /**
   * The path of the private folder relative to the root; empty if the whole root is private, undefined if there is
   * no private folder.
   */
  readonly #privateName: string | undefined;
  readonly #calls: FileCalls;
  #realRoot: string | undefined;
  #realBoundary: string | undefined;
  /** True if the root was a link when it was first used; undefined before the first use. */
  #isRootLink: boolean | undefined;

  constructor({ root, privateFolder, boundary }: GuardedRoot, calls: FileCalls) {
    this.#root = resolve(root);
    this.#boundary = boundary === undefined ? undefined : resolve(boundary);
    this.#privateName = toPrivateName(this.#root, privateFolder);
    this.#calls = calls;
  }

  get root(): string {
    return this.#root;
  }

  /**
   * Returns the information about a file that error messages need; fails unless the path is the root or below
   * the root.
   */
  requireBelow(verb: string, path: string): RefusedFile {
    const name = toName(this.#root, resolve(path));
    const file = { verb, name, isPrivate: this.#isPrivate(name) };
    if (!isInside(name)) throw outsideRoot(file);
    return file;
  }

  /**
   * Checks a path like `requireBelow`, but also allows the folders above the root, because creating the root adds
   * an entry to its parent.
   */
  requireOnWay(verb: string, path: string): void {
    if (!/^\.\.(?:\/\.\.)*$/.test(toName(this.#root, resolve(path)))) this.requireBelow(verb, path);
  }

  /** Checks the folder of a file. */
  async checkParent(file: RefusedFile): Promise<void> {
    await this.checkFolder(file, parentOf(file.name));
  }

  /** Checks a folder in the path of a file by the folder's name; fails with ENOENT if the folder is missing. */
  async checkFolder(file: RefusedFile, folder: string): Promise<void> {
    if (folder === "") return this.checkRoot(file);
    const isPrivate = this.#isPrivate(folder);
    try {
      const real = await this.#calls.realpath(join(this.#root, folder));
      if (real === join(await this.#readRoot(file), folder)) return;
      const realName = await this.#realNameOf(file, real);
      if (isPrivate) await this.#requireNoLink(file, folder);
      if (isPrivate ? !isInside(realName) : !this.#isPublic(realName)) throw linkLeadsOut(file);
    } catch (err) {
      // A broken link or a cycle of links is refused like any other link.
      if (isPrivate && !isContractError(err)) await this.#requireNoLink(file, folder);
      throw err;
    }
  }

  /**
   * Refuses a root that has become a link since it was first used, for example through a checkout, and a root outside
   * the boundary. A root that is a link from the start is followed elsewhere, because the user who named the root chose
   * the target of the link.
   */
  async checkRoot(file: RefusedFile): Promise<void> {
    // A folder above the root may have become a link.
    if (this.#boundary !== undefined) this.#realRoot = undefined;
    if ((await unlessMissing(this.#readRoot(file))) === undefined)
      await this.#requireInBoundary(file, resolveLinks(this.#root));
    if (await this.#hasBecomeLink()) throw linkLeadsOut(file);
  }

  /** Resolves the links of a file that may be missing. */
  async resolve(file: RefusedFile): Promise<ResolvedPath> {
    const path = this.toPath(file);
    if (file.isPrivate) {
      await this.checkParent(file);
      const stat = await unlessMissing(this.#calls.lstat(path));
      if (stat !== undefined && !stat.isFile()) throw notRegular(file, stat);
      return { path, stat, isLink: false };
    }
    const target = await this.findTarget(file);
    if (target === undefined) return { path, stat: undefined, isLink: false };
    const stat = await unlessMissing(this.#calls.lstat(target));
    if (stat !== undefined && !stat.isFile()) throw notRegular(file, stat);
    const isLink = target !== path && (await this.#calls.lstat(path)).isSymbolicLink();
    return { path: target, stat, isLink };
  }

  /**
   * Finds the path of a file outside the private folder with links resolved. The path begins with the root as the
   * user named it. Returns undefined if there is no file.
   */
  async findTarget(file: RefusedFile): Promise<string | undefined> {
    const path = this.toPath(file);
    const real = await unlessMissing(this.#calls.realpath(path));
    if (real === undefined) {
      const found = await unlessMissing(this.#calls.lstat(path));
      if (found?.isSymbolicLink()) throw linkLeadsNowhere(file);
      await this.checkParent(file);
      // Git replaces a file by removing it and creating it again, so the file may have been created between
      // the two calls.
      return found && path;
    }
    const name = await this.#realNameOf(file, real);
    if (!this.#isPublic(name)) throw linkLeadsOut(file);
    return join(this.#root, name);
  }

  toPath({ name }: RefusedFile): string {
    return join(this.#root, name);
  }

  /**
   * Returns a resolved path relative to the root. If the path is not in the root, the root is resolved again, because
   * the root may be a link whose target has changed.
   */
  async #realNameOf(file: RefusedFile, real: string): Promise<string> {
    const name = toName(await this.#readRoot(file), real);
    if (isInside(name) || (await this.#hasBecomeLink())) return name;
    this.#realRoot = undefined;
    return toName(await this.#readRoot(file), real);
  }

  async #readRoot(file: RefusedFile): Promise<string> {
    if (this.#realRoot !== undefined) return this.#realRoot;
    this.#isRootLink ??= (await this.#calls.lstat(this.#root)).isSymbolicLink();
    const real = await this.#calls.realpath(this.#root);
    await this.#requireInBoundary(file, real);
    this.#realRoot = real;
    return real;
  }

  /** Fails if a resolved path of the root is outside the boundary; undefined is a path that cannot be resolved. */
  async #requireInBoundary(file: RefusedFile, real: string | undefined): Promise<void> {
    if (this.#boundary === undefined) return;
    // The boundary is resolved once, because a checkout may replace it as well.
    this.#realBoundary ??= await this.#calls.realpath(this.#boundary);
    if (real === undefined || !isInside(toName(this.#realBoundary, real))) throw linkLeadsOut(file);
  }

  async #hasBecomeLink(): Promise<boolean> {
    if (this.#isRootLink !== false) return false;
    return (await unlessMissing(this.#calls.lstat(this.#root)))?.isSymbolicLink() ?? false;
  }

  /**
   * Fails if a folder in the private path is a link. If no folder is a link, the resolved path equals the
   * given path, except for letter case on file systems that ignore case.
   */
  async #requireNoLink(file: RefusedFile, folder: string): Promise<void> {
    const parts = folder.split("/");
    for (const [index] of parts.entries()) {
      const name = parts.slice(0, index + 1).join("/");
      if (!this.#isPrivate(name)) continue;
      if ((await this.#calls.lstat(join(this.#root, name))).isSymbolicLink()) throw linkInPrivate(file, name);
    }
  }

  #isPublic(name: string): boolean {
    return isInside(name) && !this.#isPrivate(name);
  }

  #isPrivate(name: string): boolean {
    return isPrivateName(this.#privateName, name);
  }
}

/**
 * True if a folder exists and the rules allow its path. This function is the synchronous form of the check,
 * for code that watches folders and never opens a file.
 */
export function isAllowedFolder(root: string, privateFolder: string | undefined, path: string): boolean {
  const own = toPrivateName(resolve(root), privateFolder);
  try {
    const name = toName(resolve(root), resolve(path));
    const realName = toName(realpathSync.native(root), realpathSync.native(path));
    if (isPrivateName(own, name)) return realName === name;
    return isInside(name) && isInside(realName) && !isPrivateName(own, realName);
  } catch {
    return false;
  }
}

function toPrivateName(root: string, privateFolder: string | undefined): string | undefined {
  return privateFolder === undefined ? undefined : toName(root, resolve(root, privateFolder));
}

function isPrivateName(own: string | undefined, name: string): boolean {
  return own !== undefined && (own === "" || name === own || name.startsWith(`${own}/`));
}

/** Returns the relative path of the folder of a file; empty for the root. */
export function parentOf(name: string): string {
  const parent = dirname(name);
  return parent === "." ? "" : parent;
}

/** Returns a path relative to the root, with forward slashes. */
function toName(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

function isInside(name: string): boolean {
  return name !== ".." && !name.startsWith("../") && !isAbsolute(name);
}
