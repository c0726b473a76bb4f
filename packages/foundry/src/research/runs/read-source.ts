import { digestContentType } from "@foundry-mcp/contract/digest";
import type { DigestedDocument } from "../documents/digest-document.ts";
import { quoteText } from "./quote-text.ts";
import type { SettledRequest } from "./research-request.ts";
import type { ResearchCaller, RunDeps } from "./run-deps.ts";
import { toSourceFailure } from "./source-failure.ts";
import type { ListedSource } from "./source-list.ts";
import { nameOf } from "./source-name.ts";
import type { SourceRecord } from "./source-record.ts";

/** Reads one source, digests it and keeps its text; what goes wrong with it is its record. Throws only when aborted. */
export async function readSource(
  { source_id, source, title: found }: ListedSource,
  { question, snippets }: SettledRequest,
  services: Pick<RunDeps, "load" | "digest" | "archive">,
  caller: ResearchCaller,
  signal: AbortSignal,
): Promise<SourceRecord> {
  if (source.content_type === digestContentType) return { source_id, outcome: "failed", ...isDigest };
  try {
    const document = await services.load(source, caller.principal, signal);
    const digested = await services.digest(document, { query: question, snippets }, signal);
    const { digest, hash, chars, title = found } = digested;
    const quotes = digest === null ? quoteText(textOf(digested), question, snippets) : undefined;
    return {
      source_id,
      outcome: digest === null ? "short" : "digested",
      ...(title === undefined ? {} : { title }),
      source_text_hash: hash,
      chars,
      is_match: quotes === undefined ? digested.isMatch : quotes.length > 0,
      is_kept: await keep(digested, services, caller),
      digest,
      query_counts: digested.queryCounts ?? { sentences: 0, counts: [] },
      ...(quotes === undefined ? {} : { quotes }),
    };
  } catch (err) {
    // A reading that was broken off says nothing of its source.
    signal.throwIfAborted();
    return { source_id, outcome: "failed", ...toSourceFailure(err, nameOf(source)) };
  }
}

/** Quotes of a digest would be quotes of a quotation. */
const isDigest = {
  reason: "is_digest",
  error: "It is a digest already, and is never digested again",
  remediation: "Name the document that it was made of.",
};

/** What cannot be kept is quoted all the same: its hash is known. */
async function keep(
  digested: DigestedDocument,
  services: Pick<RunDeps, "archive">,
  caller: ResearchCaller,
): Promise<boolean> {
  try {
    return await services.archive(digested, caller);
  } catch {
    return false;
  }
}

function textOf({ text }: DigestedDocument): string {
  return Buffer.from(text.buffer, text.byteOffset, text.length).toString("utf8");
}
