import { join } from "node:path";
import { unlessMissing } from "../durable/file-error.ts";
import type { FileSystem } from "../durable/file-system.ts";
import { makeFolder } from "../durable/make-folder.ts";
import { swapFile } from "../durable/swap-file.ts";
import { replaceFile } from "../durable/write-file.ts";

/** A revision that a spec was at. */
interface Counted {
  readonly counter: number;
  readonly hash: string;
}

/** What is kept of a spec beside its file, so that the file need not know. */
export interface SpecState extends Counted {
  /** The revision before: which of the two there is, the file tells. */
  readonly before?: Counted | undefined;
  /** The highest numbers that were given to nodes. */
  readonly marks: Readonly<Record<string, number>>;
}

/** The state of specs, one small file for each under `.foundry/state`. */
export class Sidecar {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#folder = join(folder, "state");
  }

  /** The state of a spec; undefined where there is none, or where what there is cannot be read. */
  async read(id: string): Promise<SpecState | undefined> {
    const bytes = await unlessMissing(this.#fs.readFile(this.#pathOf(id)));
    return bytes === undefined ? undefined : parseState(bytes);
  }

  /**
   * Writes the state before the spec itself: which revision the file is at, it says by its hash. Only numbers
   * that must not be given again have to survive a crash.
   */
  async write(id: string, state: SpecState, isDurable: boolean): Promise<void> {
    const path = this.#pathOf(id);
    const text = Buffer.from(`${JSON.stringify(state)}\n`);
    await makeFolder(this.#fs, this.#folder);
    if (isDurable) return replaceFile(this.#fs, path, [text]);
    await swapFile(this.#fs, path, text);
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

/** The count of the revision that a file with this hash is. */
export function counterOf(state: SpecState | undefined, hash: string): number {
  if (state === undefined) return 1;
  if (state.hash === hash) return state.counter;
  // Whoever wrote the state did not get to write the spec.
  if (state.before?.hash === hash) return state.before.counter;
  // An editor or git has changed the file.
  return state.counter + 1;
}

function parseState(bytes: Uint8Array): SpecState | undefined {
  try {
    const { counter, hash, before, marks } = JSON.parse(Buffer.from(bytes).toString()) as Partial<SpecState>;
    if (typeof counter !== "number" || typeof hash !== "string") return undefined;
    return { counter, hash, before, marks: marks ?? {} };
  } catch {
    return undefined;
  }
}
