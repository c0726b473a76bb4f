import { ContractError } from "@foundry-mcp/contract";
import { toInverse } from "../../../files/json-text/splice.ts";
import { hashOf } from "../spec-file.ts";
import type { Chain } from "./chain.ts";
import { splicesOf } from "./log-line.ts";
import { PiecedText } from "./pieced-text.ts";

/** A revision of a chain whose whole text can be read. */
export interface Anchor {
  readonly revision: string;
  /** Undefined where it is not there any more. */
  read(): Promise<Uint8Array | undefined>;
}

/**
 * The text of a revision: that of the nearest anchor, led to it step by step. Undefined where the chain has no such
 * revision or no anchor; fails where the text that comes of it is another than was kept.
 */
export async function restoreText(
  id: string,
  revision: string,
  chain: Chain,
  anchors: readonly Anchor[],
): Promise<Uint8Array | undefined> {
  const index = chain.revisions.lastIndexOf(revision);
  if (index === -1) return undefined;
  const near = anchors
    .map((anchor) => ({ anchor, start: chain.revisions.lastIndexOf(anchor.revision) }))
    .filter(({ start }) => start !== -1)
    .sort((a, b) => Math.abs(a.start - index) - Math.abs(b.start - index));
  let isFound = false;
  for (const { anchor, start } of near) {
    const bytes = await anchor.read();
    if (bytes === undefined) continue;
    isFound = true;
    const text = walk(chain, bytes, start, index);
    if (text !== undefined && isTextOf(revision, text)) return text;
  }
  if (isFound) throw corrupted(id, revision);
  return undefined;
}

function walk({ steps }: Chain, bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  const text = new PiecedText(bytes);
  const isBack = end < start;
  const way = isBack ? steps.slice(end, start).reverse() : steps.slice(start, end);
  for (const step of way) {
    const splices = splicesOf(step);
    if (splices === undefined || !text.apply(isBack ? toInverse(splices) : splices)) return undefined;
  }
  return text.toBytes();
}

/** A revision tells the hash of its text. */
function isTextOf(revision: string, text: Uint8Array): boolean {
  return hashOf([text]) === revision.slice(revision.indexOf("-") + 1);
}

function corrupted(id: string, revision: string): ContractError {
  return new ContractError(
    `Cannot restore revision ${revision} of spec "${id}": what is kept of it in .foundry/history is damaged`,
    {
      errorCode: "BACKUP_CORRUPTED",
      errorType: "internal",
      remediation: `Choose another revision of spec(action="history", spec_id="${id}"), or bring the file back from version control.`,
      details: { spec_id: id, revision },
    },
  );
}
