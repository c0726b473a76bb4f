import { isContractError } from "@foundry-mcp/contract";
import type { Logger } from "@foundry-mcp/toolkit";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import type { DigestedDocument } from "../documents/digest-document.ts";

/** For whom a text is kept, and by which call. */
export interface Keeper {
  readonly principal: string;
  readonly requestId: string;
  readonly action: string;
  readonly logger?: Logger | undefined;
}

/** Keeps a canonical text under its hash, for whoever checks quotes; says whether it could be kept. */
export async function keepText(
  archive: ContentArchive,
  { text, hash }: Pick<DigestedDocument, "text" | "hash">,
  { principal, requestId, action, logger }: Keeper,
): Promise<boolean> {
  try {
    await archive.put({ principal, bytes: text, hash, tool: "research", action, requestId, contentIds: [] });
    return true;
  } catch (err) {
    // Where there is no workspace there is nothing to keep it in, and that is no fault.
    if (!isContractError(err)) logger?.warn({ err }, "canonical text");
    return false;
  }
}
