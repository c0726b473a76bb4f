import { ContractError } from "@foundry-mcp/contract";
import { type Splice, toInverse } from "../../../files/json-text/splice.ts";
import { hashOf } from "../spec-file.ts";
import { isHashOfChange, splicesOf } from "./history-log.ts";
import type { RevisionChain } from "./revision-chain.ts";

/** A revision whose full text is available. */
export interface Anchor {
  readonly revision: string;
  /** Reads the text; undefined if the text has been removed. */
  read(): Promise<Uint8Array | undefined>;
}

/**
 * Restores the text of a revision by applying the steps from the nearest anchor. Returns undefined if the
 * chain has no such revision or no anchor. Throws if the hash of the result does not match the revision.
 */
export async function restoreText(
  id: string,
  revision: string,
  chain: RevisionChain,
  anchors: readonly Anchor[],
): Promise<Uint8Array | undefined> {
  const index = chain.revisions.lastIndexOf(revision);
  if (index === -1) return undefined;
  const candidates = anchors
    .map((anchor) => ({ anchor, start: chain.revisions.lastIndexOf(anchor.revision) }))
    .filter(({ start }) => start !== -1)
    .sort((a, b) => Math.abs(a.start - index) - Math.abs(b.start - index));
  let isFound = false;
  for (const { anchor, start } of candidates) {
    const bytes = await anchor.read();
    if (bytes === undefined) continue;
    isFound = true;
    const text = applySteps(chain, bytes, start, index);
    if (text !== undefined && isRevision(chain, index, text)) return text;
  }
  if (isFound) throw corrupted(id, revision);
  return undefined;
}

function applySteps(
  { steps }: RevisionChain,
  bytes: Uint8Array,
  start: number,
  end: number,
): Uint8Array | undefined {
  const text = new ChunkedText(bytes);
  const isBack = end < start;
  const path = isBack ? steps.slice(end, start).reverse() : steps.slice(start, end);
  for (const step of path) {
    const splices = splicesOf(step);
    if (splices === undefined || !text.apply(isBack ? toInverse(splices) : splices)) return undefined;
  }
  return text.toBytes();
}

/**
 * True if a text is the text of a revision of the chain. A revision that has the hash of its change is checked with the
 * next revision that has the hash of its text.
 */
function isRevision(chain: RevisionChain, index: number, text: Uint8Array): boolean {
  const { revisions, steps, origin } = chain;
  let hashed = index;
  for (; hashed < revisions.length; hashed++) {
    const line = hashed === 0 ? origin : steps[hashed - 1];
    if (line?.hash !== "change") break;
    if (hashed > 0 && !isHashOfChange(line)) return false;
  }
  const later = hashed === index ? text : applySteps(chain, text, index, hashed);
  const revision = revisions[hashed];
  return later !== undefined && revision?.endsWith(`-${hashOf([later])}`) === true;
}

function corrupted(id: string, revision: string): ContractError {
  return new ContractError(
    `Cannot restore revision ${revision} of spec "${id}": its history in .foundry/history is damaged`,
    {
      errorCode: "BACKUP_CORRUPTED",
      errorType: "internal",
      remediation: "Choose another revision from {1}, or restore the file from version control.",
      remedy: { tool: "spec", action: "history", arguments: { spec_id: id } },
      details: { spec_id: id, revision },
    },
  );
}

/**
 * The maximum number of chunks of a text. A text with more chunks is concatenated to one chunk, because each step
 * visits all chunks.
 */
const maxChunks = 512;

/** A text to which many splices can be applied. The unchanged parts of the text are not copied. */
export class ChunkedText {
  #chunks: readonly Uint8Array[];

  constructor(bytes: Uint8Array) {
    this.#chunks = [bytes];
  }

  /**
   * Applies splices whose offsets refer to the text before all of these splices. Returns false if the splices
   * do not match the text.
   */
  apply(splices: readonly Splice[]): boolean {
    const applySteps = new ChunkCursor(this.#chunks);
    for (const { at, removed, inserted } of splices) {
      if (!applySteps.keep(at - applySteps.position) || !applySteps.skip(removed.length)) return false;
      applySteps.add(inserted);
    }
    const chunks = applySteps.finish();
    this.#chunks = chunks.length > maxChunks ? [Buffer.concat(chunks)] : chunks;
    return true;
  }

  toBytes(): Uint8Array {
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
  }
}

/** A cursor that walks through chunks from the first byte to the last. */
class ChunkCursor {
  readonly #chunks: readonly Uint8Array[];
  readonly #kept: Uint8Array[] = [];
  #index = 0;
  #offset = 0;
  /** The number of bytes that the cursor has passed. */
  position = 0;

  constructor(chunks: readonly Uint8Array[]) {
    this.#chunks = chunks;
  }

  keep(count: number): boolean {
    return this.#advance(count, true);
  }

  skip(count: number): boolean {
    return this.#advance(count, false);
  }

  add(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#kept.push(bytes);
  }

  /** Keeps the remaining bytes, and returns all bytes that were kept. */
  finish(): readonly Uint8Array[] {
    const chunk = this.#chunks[this.#index];
    if (chunk === undefined) return this.#kept;
    this.add(chunk.subarray(this.#offset));
    return this.#kept.concat(this.#chunks.slice(this.#index + 1));
  }

  #advance(count: number, isKept: boolean): boolean {
    if (count < 0) return false;
    this.position += count;
    for (let left = count; left > 0; ) {
      const chunk = this.#chunks[this.#index];
      if (chunk === undefined) return false;
      const end = Math.min(chunk.length, this.#offset + left);
      if (isKept) this.add(chunk.subarray(this.#offset, end));
      left -= end - this.#offset;
      this.#offset = end;
      if (end < chunk.length) continue;
      this.#index++;
      this.#offset = 0;
    }
    return true;
  }
}
