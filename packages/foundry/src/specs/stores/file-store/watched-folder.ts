import { type FSWatcher, readdirSync, statfsSync, statSync, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isSpecId } from "../spec-store.ts";

/** How folders are watched; tests put something that fails in its place. */
export interface WatchDeps {
  readonly watch: typeof watch;
  readonly isRemote: (path: string) => boolean;
  /** How often folders are looked at of which the system does not tell. */
  readonly pollMs: number;
}

/** The ways of this machine. */
export const systemWatch: WatchDeps = { watch, isRemote, pollMs: 500 };

/** Who hears what happens in a folder. */
export interface FolderEvents {
  /** A file of a spec has changed, come or gone; a folder without specs has nobody to tell. */
  readonly onSpec?: ((id: string) => void) | undefined;
  /** Something else may have come, gone or changed, the folder itself among them; null: nobody knows what. */
  readonly onOther: (name: string | null, event: string) => void;
}

const ending = ".json";

/** A folder that is there: watched by the system or, where that fails, looked at by whoever has it. */
export class WatchedFolder {
  readonly path: string;
  readonly #events: FolderEvents;
  readonly #identity: string;
  #watcher: FSWatcher | undefined;
  /** The files by what tells them from before; where the system tells, only which there are. */
  #files = new Map<string, string>();

  /** Throws where there is no such folder, or one that cannot be read. */
  constructor(path: string, ways: WatchDeps, events: FolderEvents) {
    this.path = path;
    this.#events = events;
    this.#identity = identityOf(path);
    if (!ways.isRemote(path)) this.#attach(ways);
    if (events.onSpec === undefined) return;
    try {
      // Read after the watcher is there: what comes in between is told, and not lost.
      for (const id of readdirSync(path).flatMap(toId)) this.#files.set(id, this.#stampOf(id));
    } catch (err) {
      this.close();
      throw err;
    }
  }

  /** True where the system does not tell: then `look` does. */
  get isPolled(): boolean {
    return this.#watcher === undefined;
  }

  /** The specs that have, or had, a file here. */
  get ids(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** True as long as the path leads to this very folder. */
  isThere(): boolean {
    try {
      return identityOf(this.path) === this.#identity;
    } catch {
      return false;
    }
  }

  /** Tells what has changed since the last look. */
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
      this.#watcher = start(this.path, { persistent: false }, (event, name) => this.#hear(event, name));
    } catch {
      // Too many watchers, or a file system without: the folder is looked at instead.
      return;
    }
    this.#watcher.on("error", () => {
      this.close();
      // What happened until now may not have been told.
      for (const id of this.ids) {
        this.#files.set(id, this.#stampOf(id));
        this.#events.onSpec?.(id);
      }
      this.#events.onOther(null, "error");
    });
  }

  #hear(event: string, name: string | null): void {
    const [id] = name === null ? [] : toId(name);
    const { onSpec, onOther } = this.#events;
    if (id === undefined || onSpec === undefined) onOther(name, event);
    else {
      this.#files.set(id, "");
      onSpec(id);
    }
  }

  #fileOf(id: string): string {
    return join(this.path, `${id}${ending}`);
  }

  #stampOf(id: string): string {
    if (!this.isPolled) return "";
    const file = statSync(this.#fileOf(id), { throwIfNoEntry: false });
    return file === undefined ? "" : toStamp(file);
  }
}

/** The id of the spec that a file of this name is about; temporary files are about none. */
function toId(name: string): readonly string[] {
  const id = name.slice(0, -ending.length);
  return name.endsWith(ending) && isSpecId(id) ? [id] : [];
}

/** The number of a folder is given again as soon as it is free: when it was made tells the two apart. */
function identityOf(path: string): string {
  const folder = statSync(path);
  if (!folder.isDirectory()) throw Object.assign(new Error("ENOTDIR"), { code: "ENOTDIR" });
  return `${folder.dev}:${folder.ino}:${folder.birthtimeMs}`;
}

function toStamp(file: { ino: number; size: number; mtimeMs: number; ctimeMs: number }): string {
  return `${file.ino}:${file.size}:${file.mtimeMs}:${file.ctimeMs}`;
}

/** File systems that tell a machine nothing of what others do, by the numbers that Linux knows them by. */
const remote: ReadonlySet<number> = new Set([
  0x6969, // nfs
  0x517b, // smb
  0xff534d42, // cifs
  0xfe534d42, // smb2
  0x65735546, // fuse, and sshfs with it
  0x01021997, // 9p: folders that a virtual machine shares with its host
  0x786f4256, // vboxsf
  0x00c36400, // ceph
  0x5346414f, // afs
  0x0bd00bd0, // lustre
]);

/** True for a folder that others may change without this machine being told. */
export function isRemote(path: string): boolean {
  try {
    return remote.has(statfsSync(path).type >>> 0);
  } catch {
    return false;
  }
}
