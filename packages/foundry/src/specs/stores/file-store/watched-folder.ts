import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRemoteFolder } from "@foundry-mcp/toolkit/files";
import { isSpecId } from "../spec-store.ts";

/** The system functions that are used for watching. Tests replace these functions. */
export interface WatchDeps {
  readonly watch: typeof watch;
  readonly isRemote: (path: string) => boolean;
  /** The polling interval in milliseconds for folders that the system cannot watch. */
  readonly pollMs: number;
}

/** The real system functions. */
export const systemWatch: WatchDeps = { watch, isRemote: isRemoteFolder, pollMs: 500 };

/** The listeners of a watched folder. */
export interface FolderEvents {
  /** Called if a spec file was changed, created or removed; undefined for a folder without spec files. */
  readonly onSpec?: ((id: string) => void) | undefined;
  /**
   * Called if another entry or the folder itself may have changed. The name is null if the system does not
   * report it.
   */
  readonly onOther: (name: string | null, event: string) => void;
}

const extension = ".json";

/**
 * An existing folder that the system watches. If the system cannot watch the folder, the owner of this object
 * polls it.
 */
export class WatchedFolder {
  readonly path: string;
  readonly #events: FolderEvents;
  readonly #identity: string;
  #watcher: FSWatcher | undefined;
  /**
   * The spec ids in the folder, each with a text that changes with the file (the stamp). If the operating system reports
   * changes of the folder, no stamps are needed, and each stamp is an empty text.
   */
  #files = new Map<string, string>();

  /** Opens the folder. Throws if the folder is missing or unreadable. */
  constructor(path: string, ways: WatchDeps, events: FolderEvents) {
    this.path = path;
    this.#events = events;
    this.#identity = identityOf(path);
    if (!ways.isRemote(path)) this.#attach(ways);
    if (events.onSpec === undefined) return;
    try {
      // The folder is read after the watcher is started, so that no change between the two steps is lost.
      for (const id of readdirSync(path).flatMap(toId)) this.#files.set(id, this.#stampOf(id));
    } catch (err) {
      this.close();
      throw err;
    }
  }

  /** True if the system does not watch the folder, so that `poll` must be called. */
  get isPolled(): boolean {
    return this.#watcher === undefined;
  }

  /** The ids of the specs that have, or had, a file in this folder. */
  get ids(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** True if the path still leads to the same folder. */
  isThere(): boolean {
    try {
      return identityOf(this.path) === this.#identity;
    } catch {
      return false;
    }
  }

  /** Reports the changes since the last poll. */
  async poll(): Promise<void> {
    if (this.#events.onSpec === undefined) return;
    const names = await readdir(this.path).catch(() => []);
    const files = new Map<string, string>();
    for (const id of names.flatMap(toId)) {
      const file = await stat(this.#fileOf(id)).catch(() => undefined);
      if (file !== undefined) files.set(id, toStamp(file));
    }
    const before = this.#files;
    this.#files = files;
    for (const id of new Set([...before.keys(), ...files.keys()]))
      if (before.get(id) !== files.get(id)) this.#events.onSpec(id);
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #attach({ watch: start }: WatchDeps): void {
    try {
      this.#watcher = start(this.path, { persistent: false }, (event, name) => this.#receive(event, name));
    } catch {
      // There are too many watchers, or the file system is not supported. In both cases, the folder is polled
      // instead.
      return;
    }
    this.#watcher.on("error", () => {
      this.close();
      // Events may have been lost, so all specs in the folder count as changed.
      for (const id of this.ids) {
        this.#files.set(id, this.#stampOf(id));
        this.#events.onSpec?.(id);
      }
      this.#events.onOther(null, "error");
    });
  }

  #receive(event: string, name: string | null): void {
    const [id] = name === null ? [] : toId(name);
    const { onSpec, onOther } = this.#events;
    if (id === undefined || onSpec === undefined) onOther(name, event);
    else {
      this.#files.set(id, "");
      onSpec(id);
    }
  }

  #fileOf(id: string): string {
    return join(this.path, `${id}${extension}`);
  }

  #stampOf(id: string): string {
    if (!this.isPolled) return "";
    const file = statSync(this.#fileOf(id), { throwIfNoEntry: false });
    return file === undefined ? "" : toStamp(file);
  }
}

/** Returns a list with the spec id in a file name; the list is empty for temporary files. */
function toId(name: string): readonly string[] {
  const id = name.slice(0, -extension.length);
  return name.endsWith(extension) && isSpecId(id) ? [id] : [];
}

/**
 * Returns the identity of a folder. The identity includes the creation time, because inode numbers are reused
 * immediately.
 */
function identityOf(path: string): string {
  const folder = statSync(path);
  if (!folder.isDirectory()) throw Object.assign(new Error("ENOTDIR"), { code: "ENOTDIR" });
  return `${folder.dev}:${folder.ino}:${folder.birthtimeMs}`;
}

function toStamp(file: { ino: number; size: number; mtimeMs: number; ctimeMs: number }): string {
  return `${file.ino}:${file.size}:${file.mtimeMs}:${file.ctimeMs}`;
}
