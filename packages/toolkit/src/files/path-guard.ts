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
import { unlessMissing } from "./system-error.ts";

/**
 * The rule for paths below a root. In the private folder no link is followed, neither as the file nor as a folder on the
 * way. Elsewhere a link is followed if it leads to a place inside the root and outside of the private folder.
 *
 * Checks look at the disk each time and cache nothing, because a checkout may put a link in any place at any time. A
 * process that replaces folders between a check and the call that it guards is not defended against.
 */
export class PathGuard {
  readonly #root: string;
  /** Relative to the root; empty if all of it is private, undefined if none is. */
  readonly #privateName: string | undefined;
  readonly #calls: FileCalls;
  #realRoot: string | undefined;
  /** Whether the root was a link when it was first used. */
  #isRootLink: boolean | undefined;

  constructor(root: string, privateFolder: string | undefined, calls: FileCalls) {
    this.#root = resolve(root);
    this.#privateName = toPrivateName(this.#root, privateFolder);
    this.#calls = calls;
  }

  get root(): string {
    return this.#root;
  }

  /** The file that a path names, for errors; fails for a path that is not below the root, or the root itself. */
  requireBelow(verb: string, path: string): RefusedFile {
    const name = toName(this.#root, resolve(path));
    const file = { verb, name, isPrivate: this.#isPrivate(name) };
    if (!isInside(name)) throw outsideRoot(file);
    return file;
  }

  /** As `requireBelow`, but also for the folders above the root, which get an entry when the root is created. */
  requireOnWay(verb: string, path: string): void {
    if (!/^\.\.(?:\/\.\.)*$/.test(toName(this.#root, resolve(path)))) this.requireBelow(verb, path);
  }

  /** Checks the folder of a file. */
  async checkParent(file: RefusedFile): Promise<void> {
    await this.checkFolder(file, parentOf(file.name));
  }

  /** Checks a folder, by its name, on the way to a file; fails with ENOENT if it is missing. */
  async checkFolder(file: RefusedFile, folder: string): Promise<void> {
    if (folder === "") return this.checkRoot(file);
    const isPrivate = this.#isPrivate(folder);
    try {
      const real = await this.#calls.realpath(join(this.#root, folder));
      if (real === join(await this.#readRoot(), folder)) return;
      const realName = await this.#realNameOf(real);
      if (isPrivate) await this.#requireNoLink(file, folder);
      if (isPrivate ? !isInside(realName) : !this.#isPublic(realName)) throw linkLeadsOut(file);
    } catch (err) {
      // A link that leads nowhere, or round in a circle, is refused as any other link.
      if (isPrivate && !isContractError(err)) await this.#requireNoLink(file, folder);
      throw err;
    }
  }

  /**
   * Refuses a root that has become a link since it was first used, as a checkout can make it. A root that is a link from
   * the start is followed: the user who named it decides where it leads.
   */
  async checkRoot(file: RefusedFile): Promise<void> {
    await unlessMissing(this.#readRoot());
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

  /** The path behind the links of a public file, below the root as it was named; undefined if there is no file. */
  async findTarget(file: RefusedFile): Promise<string | undefined> {
    const path = this.toPath(file);
    const real = await unlessMissing(this.#calls.realpath(path));
    if (real === undefined) {
      const found = await unlessMissing(this.#calls.lstat(path));
      if (found?.isSymbolicLink()) throw linkLeadsNowhere(file);
      await this.checkParent(file);
      // Git removes a file and creates it anew: it may have come between the two calls.
      return found && path;
    }
    const name = await this.#realNameOf(real);
    if (!this.#isPublic(name)) throw linkLeadsOut(file);
    return join(this.#root, name);
  }

  toPath({ name }: RefusedFile): string {
    return join(this.#root, name);
  }

  /** The name of a resolved path. The root is resolved again if the path is not in it: it may be a link that was changed. */
  async #realNameOf(real: string): Promise<string> {
    const name = toName(await this.#readRoot(), real);
    if (isInside(name) || (await this.#hasBecomeLink())) return name;
    this.#realRoot = undefined;
    return toName(await this.#readRoot(), real);
  }

  async #readRoot(): Promise<string> {
    if (this.#realRoot !== undefined) return this.#realRoot;
    this.#isRootLink ??= (await this.#calls.lstat(this.#root)).isSymbolicLink();
    this.#realRoot = await this.#calls.realpath(this.#root);
    return this.#realRoot;
  }

  async #hasBecomeLink(): Promise<boolean> {
    if (this.#isRootLink !== false) return false;
    return (await unlessMissing(this.#calls.lstat(this.#root)))?.isSymbolicLink() ?? false;
  }

  /** Looks for a link on the way to a folder. Other differences are those of letter case, on systems that ignore it. */
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
 * True if a folder exists and the rule allows the way to it: the synchronous form of the check, for code that watches
 * folders and never opens a file.
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

/** The name of the folder of a file; empty for the root. */
export function parentOf(name: string): string {
  const parent = dirname(name);
  return parent === "." ? "" : parent;
}

/** A path relative to the root, with forward slashes. */
function toName(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

function isInside(name: string): boolean {
  return name !== ".." && !name.startsWith("../") && !isAbsolute(name);
}
