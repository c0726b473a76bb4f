import { ContractError } from "@foundry-mcp/contract";
import type { ContentEntry } from "./content-archive.ts";

const remedy = "Repeat the call that gave the answer, because content expires; {1} lists what is stored.";
const remedies: Readonly<Record<string, string>> = {
  // A response lists at most a hundred ids of dropped parts. Other dropped parts can only be found through
  // the archive id of the response.
  content_id: `Give {--archive_id} with {--content_id}: a key of content_archive_hashes in the answer. ${remedy}`,
};

/** Creates the error for content that does not exist, has expired, or belongs to another principal. */
export function contentNotFound(field: string, value: string): ContractError {
  const shown = value.slice(0, 200).toWellFormed();
  return new ContractError(`Cannot find content: none has the ${field} ${JSON.stringify(shown)}`, {
    errorCode: "CONTENT_NOT_FOUND",
    remediation: remedies[field] ?? remedy,
    remedy: { tool: "content", action: "list" },
    details: { resource_type: "content", resource_id: shown, field },
  });
}

/**
 * Creates the error for content whose bytes do not match their hash; the error does not reveal the location of the
 * bytes.
 */
export function contentDamaged({ archiveId, hash }: ContentEntry, found: string): ContractError {
  return new ContractError(
    `Cannot return the content ${JSON.stringify(archiveId)}: its bytes have the hash ${found}, wanted ${hash}`,
    {
      errorCode: "CONTENT_NOT_FOUND",
      remediation: "The stored copy is damaged. Repeat the call that gave the answer: it is stored again.",
      details: { archive_id: archiveId, hash, found_hash: found },
    },
  );
}
