import { ContractError, isContractError } from "@foundry-mcp/contract";
import type { Logger } from "@foundry-mcp/toolkit";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import type { DigestedDocument } from "../documents/digest-document.ts";
import type { ResearchCaller } from "../runs/run-deps.ts";

/** The call that stores a text. Only the principal of the call can read the text again. */
export interface StoringCall extends ResearchCaller {
  readonly action: string;
  readonly logger?: Logger | undefined;
}

/** Stores a canonical text under its hash, so that quotes can be verified. Returns false if that failed. */
export async function storeText(
  archive: ContentArchive,
  { text, hash }: Pick<DigestedDocument, "text" | "hash">,
  { principal, requestId, action, logger }: StoringCall,
): Promise<boolean> {
  try {
    await archive.put({ principal, bytes: text, hash, tool: "research", action, requestId, contentIds: [] });
    return true;
  } catch (err) {
    // Without a workspace, there is no archive. The resulting ContractError needs no log entry.
    if (!isContractError(err)) logger?.warn({ err }, "canonical text");
    return false;
  }
}

/**
 * Returns the stored text with this hash. Returns undefined if the text was never stored or has expired, or if there
 * is no archive.
 */
export async function findText(
  archive: ContentArchive,
  hash: string,
  principal: string,
): Promise<string | undefined> {
  try {
    const entry = await archive.find(principal, { hash });
    return entry === undefined ? undefined : Buffer.from(await archive.read(entry)).toString("utf8");
  } catch (err) {
    if (isContractError(err) && err.code === "NOT_FOUND") return undefined;
    throw err;
  }
}

/** Returns the stored text like {@link findText}, but throws a ContractError if the text is missing. */
export async function requireText(archive: ContentArchive, hash: string, principal: string): Promise<string> {
  const text = await findText(archive, hash, principal);
  if (text !== undefined) return text;
  throw new ContractError(`Cannot verify the digest: the text ${hash} is not kept, or no longer`, {
    errorCode: "CONTENT_NOT_FOUND",
    remediation: `Name the source of the digest as well, as source={"path": …}, on the command line --source '{"path": …}'; or digest it again in a workspace.`,
    details: { resource_type: "content", resource_id: hash },
  });
}
