import { statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { specFolders } from "../../model/spec-document.ts";
import { systemWatch, type WatchDeps, WatchedFolder } from "./watched-folder.ts";

/** What happens to one spec within this time is told once. */
const burstMs = 50;

/** The folders whose files are about specs: their own, and where leases and counters are kept beside them. */
const holding = [...specFolders, join(".foundry", "state")];

/**
 * Tells the ids of specs whose files, or what is kept beside them, change, by whatever process; returns how to
 * stop. Folders may come, go and be replaced meanwhile: then everything in them counts as changed. Nothing here
 * keeps the process alive.
 */
export function watchFolders(
  root: string,
  tell: (id: string) => void,
  ways: WatchDeps = systemWatch,
): () => void {
  const watch = new FoldersWatch(resolve(root), tell, ways);
  return () => watch.close();
}

class FoldersWatch {
  readonly #root: string;
  readonly #ways: WatchDeps;
  /** The folders to watch, those above others before them. */
  readonly #wanted: readonly string[];
  readonly #holding: ReadonlySet<string>;
  readonly #folders = new Map<string, WatchedFolder>();
  readonly #told: IdBatch;
  /** The nearest folder above the root while the root is missing. */
  #lookout: WatchedFolder | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isClosed = false;

  constructor(root: string, tell: (id: string) => void, ways: WatchDeps) {
    this.#root = root;
    this.#ways = ways;
    this.#holding = new Set(holding.map((folder) => join(root, folder)));
    this.#wanted = [root, join(root, ".foundry"), ...this.#holding];
    this.#told = batchIds(burstMs, tell);
    // What is there at the start has not changed.
    this.#refresh(() => {});
  }

  close(): void {
    this.#isClosed = true;
    this.#told.close();
    clearInterval(this.#timer);
    this.#lookout?.close();
    for (const folder of this.#folders.values()) folder.close();
  }

  /** Brings what is watched in line with the folders that there are. */
  #refresh(onSpec: (id: string) => void = (id) => this.#told.add(id)): void {
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
    if (hasRoot) this.#leaveLookout();
    if (hasRoot || this.#standAbove()) this.#keepLooking();
    else this.#refresh(onSpec);
  }

  /** Watches the nearest folder above a root that is missing; false where the root has come meanwhile. */
  #standAbove(): boolean {
    for (;;) {
      const nearest = nearestFolder(this.#root);
      if (nearest === this.#root) return false;
      if (this.#lookout?.path === nearest && this.#lookout.isThere()) return true;
      this.#leaveLookout();
      // What came before there was somebody to see it is seen by another look.
      this.#lookout = this.#open(nearest);
    }
  }

  #leaveLookout(): void {
    this.#lookout?.close();
    this.#lookout = undefined;
  }

  /** Undefined where it is not there, or cannot be read. */
  #open(path: string): WatchedFolder | undefined {
    try {
      return new WatchedFolder(path, this.#ways, {
        onSpec: this.#holding.has(path) ? (id) => this.#told.add(id) : undefined,
        onOther: (name, event) => this.#hear(path, name, event),
      });
    } catch {
      return undefined;
    }
  }

  #hear(path: string, name: string | null, event: string): void {
    const [own, inside] = [basename(path), join(path, name ?? "")];
    const isOnTheWay = inside === this.#root || this.#root.startsWith(`${inside}${sep}`);
    if (name !== null && name !== own && !this.#wanted.includes(inside) && !isOnTheWay) return;
    // What was replaced may look like what it replaced; and some systems do not say what has changed.
    if (event === "rename" || (event === "change" && name === null)) {
      if (name === own && path === this.#lookout?.path) this.#leaveLookout();
      for (const gone of name === own ? [path, inside] : [inside]) this.#forget(gone);
    }
    this.#refresh();
  }

  /** What was in a folder that is gone may be gone too. */
  #forget(path: string): void {
    const folder = this.#folders.get(path);
    if (folder === undefined) return;
    this.#folders.delete(path);
    folder.close();
    for (const id of folder.ids) this.#told.add(id);
  }

  /** The clock runs as long as there is a folder of which the system does not tell. */
  #keepLooking(): void {
    const folders = [...this.#folders.values(), ...(this.#lookout === undefined ? [] : [this.#lookout])];
    if (folders.some(({ isPolled }) => isPolled))
      this.#timer ??= setInterval(() => void this.#look(), this.#ways.pollMs).unref();
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#refresh();
    for (const folder of [...this.#folders.values()]) if (folder.isPolled) await folder.poll();
    this.#isLooking = false;
  }
}

/** The path where there is a folder, else the nearest above it. */
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

/** Ids that are told together. */
export interface IdBatch {
  add(id: string): void;
  close(): void;
}

/** Gathers ids for a while, and tells each once: one change of a spec is several of files. */
export function batchIds(milliseconds: number, tell: (id: string) => void): IdBatch {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const tellAll = () => {
    timer = undefined;
    const ids = [...waiting];
    waiting.clear();
    for (const id of ids) {
      // Whoever is told may have had enough.
      if (isClosed) return;
      tell(id);
    }
  };
  let isClosed = false;
  return {
    add(id) {
      if (isClosed) return;
      waiting.add(id);
      // From the first on, not from the last: a stream that never pauses is told of too.
      timer ??= setTimeout(tellAll, milliseconds).unref();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      waiting.clear();
    },
  };
}
