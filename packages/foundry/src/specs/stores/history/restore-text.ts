import { ContractError } from "@foundry-mcp/contract";
import { type Splice, toInverse } from "../../../files/json-text/splice.ts";
import { hashOf } from "../spec-file.ts";
import { splicesOf } from "./history-log.ts";
import type { RevisionChain } from "./revision-chain.ts";

/** A revision whose full text is available. */
export interface Anchor {
  readonly revision: string;
  /** Undefined if it has been removed. */
  read(): Promise<Uint8Array | undefined>;
}

/**
 * Restores the text of a revision by applying the steps from the nearest anchor. Undefined if the chain has no such
 * revision or no anchor; fails if the hash of the result does not match the revision.
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
    if (text !== undefined && isTextOf(revision, text)) return text;
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

/** True if the text has the hash in the revision. */
function isTextOf(revision: string, text: Uint8Array): boolean {
  return hashOf([text]) === revision.slice(revision.indexOf("-") + 1);
}

function corrupted(id: string, revision: string): ContractError {
  return new ContractError(
    `Cannot restore revision ${revision} of spec "${id}": what is kept of it in .foundry/history is damaged`,
    {
      errorCode: "BACKUP_CORRUPTED",
      errorType: "internal",
      remediation: "Choose another revision from {1}, or bring the file back from version control.",
      remedy: { tool: "spec", action: "history", arguments: { spec_id: id } },
      details: { spec_id: id, revision },
    },
  );
}

/** The number of chunks above which they are concatenated, because each step walks through all of them. */
const maxChunks = 512;

/** A text that many splices are applied to without copying the rest each time. */
export class ChunkedText {
  #chunks: readonly Uint8Array[];

  constructor(bytes: Uint8Array) {
    this.#chunks = [bytes];
  }

  /** Applies splices whose offsets refer to the text before all of them; false if they do not fit. */
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
  /** The number of bytes passed. */
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

  /** Keeps the rest and returns everything that was kept. */
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
