import type { RevisionStep } from "../history/history-folder.ts";
import { hashOfChange } from "../history/history-log.ts";
import type { SpecFile } from "../spec-file.ts";

/**
 * The revision that a change of a sequence creates. The hash of a revision is the hash of its text. Only a text that is
 * replaced before it is written gets the hash of its change instead, because hashing a long text takes longer than the
 * rest of the change.
 */
export class SequencedRevision {
  readonly #counter: number;
  readonly #file: SpecFile;
  readonly #from: string;
  readonly #splices: RevisionStep["splices"];
  #hash: string | undefined;
  #isOfChange = false;

  constructor(counter: number, file: SpecFile, from: string, splices: RevisionStep["splices"]) {
    this.#counter = counter;
    this.#file = file;
    this.#from = from;
    this.#splices = splices;
  }

  /** The counter and the hash. Reading the name before `replace` was called computes the hash of the text. */
  get name(): string {
    this.#hash ??= this.#file.hash;
    return `${this.#counter}-${this.#hash}`;
  }

  /** True if the hash is that of the change. */
  get isOfChange(): boolean {
    return this.#isOfChange;
  }

  /** Called when the next change replaces the text. */
  replace(): void {
    if (this.#hash !== undefined) return;
    this.#isOfChange = true;
    this.#hash = hashOfChange(this.#from, this.#splices);
  }
}
