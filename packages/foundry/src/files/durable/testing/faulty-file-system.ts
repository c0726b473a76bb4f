import { basename } from "node:path";
import type { FileSystem, NewFile } from "@foundry-mcp/toolkit/files";

/** One call of a file operation, written like `rename .a.json.tmp a.json`. */
export type Call = string;

/** The faults to inject. Calls are numbered from 1. */
export interface Faults {
  /** The number of the call that fails with `code` and has no effect. */
  readonly failAt?: number | undefined;
  readonly code?: string | undefined;
  /** The number of the call at which the process dies. This call and every later call throw `Crash`. */
  readonly crashAt?: number | undefined;
  /** The extent to which the crashing call takes effect. Only a write can be half complete. */
  readonly crash?: "before" | "halfway" | "after" | undefined;
  /** The maximum number of bytes that one write accepts. */
  readonly maxWriteBytes?: number | undefined;
}

/** Thrown by every call after the simulated death of the process. */
export class Crash extends Error {}

/** A file system that records its calls and injects faults. */
export class FaultyFileSystem {
  readonly calls: Call[] = [];
  readonly fs: FileSystem;
  readonly #faults: Faults;

  constructor(inner: FileSystem, faults: Faults = {}) {
    this.#faults = faults;
    const watch = (name: string, work: (...args: never[]) => Promise<unknown>) => [
      name,
      async (...args: never[]) => {
        const result = await this.#call([name, ...args.map(toLabel)].join(" "), () => work(...args));
        return name === "create" ? this.#watchFile(result as NewFile) : result;
      },
    ];
    this.fs = Object.fromEntries(Object.entries(inner).map(([name, work]) => watch(name, work)));
  }

  #watchFile(file: NewFile): NewFile {
    return {
      writev: (chunks) => this.#write(file, chunks),
      chmod: (mode) => this.#call(`chmod ${mode.toString(8)}`, () => file.chmod(mode)),
      adopt: (former) => this.#call(`adopt ${(former.mode & 0o7777).toString(8)}`, () => file.adopt(former)),
      sync: () => this.#call("sync", () => file.sync()),
      close: () => this.#call("close", () => file.close(), true),
    };
  }

  #write(file: NewFile, chunks: readonly Uint8Array[]): Promise<number> {
    const all = Buffer.concat(chunks);
    const write = (limit: number) =>
      limit >= all.length ? file.writev(chunks) : file.writev([all.subarray(0, limit)]);
    const isHalf = this.#faults.crash === "halfway" && this.calls.length + 1 === this.#faults.crashAt;
    const limit = isHalf ? Math.floor(all.length / 2) : (this.#faults.maxWriteBytes ?? all.length);
    return this.#call("writev", () => write(limit));
  }

  async #call<T>(call: Call, work: () => Promise<T>, isAlwaysDone = false): Promise<T> {
    this.calls.push(call);
    const { failAt, code = "EIO", crashAt = Number.POSITIVE_INFINITY, crash = "before" } = this.#faults;
    const number = this.calls.length;
    const isDead = number > crashAt || (number === crashAt && crash === "before");
    const isFailing = number === failAt;
    // The operating system closes the open files of a process that dies.
    if ((isDead || isFailing) && isAlwaysDone) await work();
    if (isDead) throw new Crash(call);
    if (isFailing) throw Object.assign(new Error(`${code}: ${call}`), { code });
    const result = await work();
    if (number === crashAt) {
      // The caller cannot close the new file.
      if (call.startsWith("create ")) await (result as NewFile).close();
      throw new Crash(call);
    }
    return result;
  }
}

/** The base name of a path, without the random part of temporary names. */
function toLabel(value: unknown): string {
  return basename(String(value)).replace(/\.[0-9a-f]{8}-\d+-[0-9a-f]{16}\.tmp$/, ".tmp");
}
