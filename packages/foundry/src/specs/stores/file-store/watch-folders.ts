import { statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { isAllowedFolder } from "@foundry-mcp/toolkit/files";
import { specFolders } from "../../model/spec-document.ts";
import { sidecarFolder } from "./spec-files.ts";
import { systemWatch, type WatchDeps, WatchedFolder } from "./watched-folder.ts";

/** The time in milliseconds in which several changes of one spec are reported only once. */
const burstMs = 50;

/** The folders with one file per spec: the status folders and the state files. */
const specFileFolders = [...specFolders, join(sidecarFolder, "state")];

/**
 * Reports the ids of specs whose files or state files are changed by any process. Returns a function that
 * stops watching. Folders may be created, removed and replaced while they are watched; all specs in such a
 * folder then count as changed. Watching does not keep the process alive.
 */
export function watchFolders(
  root: string,
  onChange: (id: string) => void,
  deps: WatchDeps = systemWatch,
): () => void {
  const watch = new FoldersWatch(resolve(root), onChange, deps);
  return () => watch.close();
}

class FoldersWatch {
  readonly #root: string;
  readonly #deps: WatchDeps;
  /** The folders to watch; parents come before their subfolders. */
  readonly #wanted: readonly string[];
  readonly #specFileFolders: ReadonlySet<string>;
  readonly #folders = new Map<string, WatchedFolder>();
  readonly #batch: IdBatch;
  /** The nearest existing ancestor of the root. The ancestor is watched while the root is missing. */
  #ancestor: WatchedFolder | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #isClosed = false;

  constructor(root: string, onChange: (id: string) => void, deps: WatchDeps) {
    this.#root = root;
    this.#deps = deps;
    this.#specFileFolders = new Set(specFileFolders.map((folder) => join(root, folder)));
    this.#wanted = [root, join(root, sidecarFolder), ...this.#specFileFolders];
    this.#batch = batchIds(burstMs, onChange);
    // Files that exist at the start are not reported.
    this.#refresh(() => {});
  }

  close(): void {
    this.#isClosed = true;
    this.#batch.close();
    clearInterval(this.#timer);
    this.#ancestor?.close();
    for (const folder of this.#folders.values()) folder.close();
  }

  /** Starts and stops watchers to match the existing folders. */
  #refresh(onSpec: (id: string) => void = (id) => this.#batch.add(id)): void {
    if (this.#isClosed) return;
    for (const path of this.#wanted) {
      if (this.#folders.get(path)?.isThere()) continue;
      this.#forget(path);
      const folder = this.#open(path);
      if (folder === undefined) continue;
      this.#folders.set(path, folder);
      for (const id of folder.ids) onSpec(id);
    }
    const hasRoot = this.#folders.has(this.#root);
    if (hasRoot) this.#closeAncestor();
    if (hasRoot || this.#watchAncestor()) this.#updateTimer();
    else this.#refresh(onSpec);
  }

  /** Watches the nearest ancestor of a missing root. Returns false if the root exists by now. */
  #watchAncestor(): boolean {
    for (;;) {
      const nearest = nearestFolder(this.#root);
      if (nearest === this.#root) return false;
      if (this.#ancestor?.path === nearest && this.#ancestor.isThere()) return true;
      this.#closeAncestor();
      // The loop runs again, because a folder may have been created before the watcher was started.
      this.#ancestor = this.#open(nearest);
    }
  }

  #closeAncestor(): void {
    this.#ancestor?.close();
    this.#ancestor = undefined;
  }

  /**
   * Opens a folder. Returns undefined if the folder is missing or unreadable, or if its path contains a link
   * that must not be followed.
   */
  #open(path: string): WatchedFolder | undefined {
    if (this.#wanted.includes(path) && !isAllowedFolder(this.#root, sidecarFolder, path)) return undefined;
    try {
      return new WatchedFolder(path, this.#deps, {
        onSpec: this.#specFileFolders.has(path) ? (id) => this.#batch.add(id) : undefined,
        onOther: (name, event) => this.#receive(path, name, event),
      });
    } catch {
      return undefined;
    }
  }

  #receive(path: string, name: string | null, event: string): void {
    const [own, inside] = [basename(path), join(path, name ?? "")];
    const isAncestorOfRoot = inside === this.#root || this.#root.startsWith(`${inside}${sep}`);
    if (name !== null && name !== own && !this.#wanted.includes(inside) && !isAncestorOfRoot) return;
    // A new folder at the same path may look like the old folder, and some systems do not report the name.
    // Therefore, the folder is opened again.
    if (event === "rename" || (event === "change" && name === null)) {
      if (name === own && path === this.#ancestor?.path) this.#closeAncestor();
      for (const gone of name === own ? [path, inside] : [inside]) this.#forget(gone);
    }
    this.#refresh();
  }

  /** Stops watching a folder. All specs in the folder count as changed. */
  #forget(path: string): void {
    const folder = this.#folders.get(path);
    if (folder === undefined) return;
    this.#folders.delete(path);
    folder.close();
    for (const id of folder.ids) this.#batch.add(id);
  }

  /** Starts the polling timer if the system does not watch some folder; otherwise, stops the timer. */
  #updateTimer(): void {
    const folders = [...this.#folders.values(), ...(this.#ancestor === undefined ? [] : [this.#ancestor])];
    if (folders.some(({ isPolled }) => isPolled))
      this.#timer ??= setInterval(() => void this.#poll(), this.#deps.pollMs).unref();
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    this.#refresh();
    for (const folder of [...this.#folders.values()]) if (folder.isPolled) await folder.poll();
    this.#isPolling = false;
  }
}

/** Returns the path itself if it is a folder, else its nearest existing ancestor. */
function nearestFolder(path: string): string {
  const above = dirname(path);
  return above === path || isFolder(path) ? path : nearestFolder(above);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A batch of ids that is reported after a delay. */
export interface IdBatch {
  add(id: string): void;
  close(): void;
}

/**
 * Collects ids for the given time and then reports each id once, because one change of a spec affects several
 * files.
 */
export function batchIds(milliseconds: number, onChange: (id: string) => void): IdBatch {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const reportAll = () => {
    timer = undefined;
    const ids = [...waiting];
    waiting.clear();
    for (const id of ids) {
      // A listener may have closed the batch.
      if (isClosed) return;
      onChange(id);
    }
  };
  let isClosed = false;
  return {
    add(id) {
      if (isClosed) return;
      waiting.add(id);
      // The delay starts with the first id, so that even an endless sequence of changes is reported.
      timer ??= setTimeout(reportAll, milliseconds).unref();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      waiting.clear();
    },
  };
}
