import { digestContentType, type EvidenceSnippet } from "@foundry-mcp/contract/digest";
import { CodePointOffsets } from "../digest/code-point-offsets.ts";
import { rankByQuery } from "../digest/rank-by-query.ts";
import { roundScore } from "../digest/scores.ts";
import { selectSentences } from "../digest/select-sentences.ts";
import { findSentences } from "../digest/sentences.ts";
import type { ResolvedRequest } from "./research-request.ts";
import type { ResearchCaller, RunDeps } from "./run-deps.ts";
import { toSourceFailure } from "./source-failure.ts";
import type { ListedSource } from "./source-list.ts";
import { sourceName } from "./source-name.ts";
import type { SourceRecord } from "./source-record.ts";

/** Loads, digests and archives one source. A failure is returned as a record. Throws only if the call is aborted. */
export async function readSource(
  { source_id, source, title: listedTitle }: ListedSource,
  { question, snippets }: ResolvedRequest,
  deps: Pick<RunDeps, "load" | "digest" | "archive">,
  caller: ResearchCaller,
  signal: AbortSignal,
): Promise<SourceRecord> {
  if (source.content_type === digestContentType) return { source_id, outcome: "failed", ...isDigest };
  try {
    const document = await deps.load(source, caller.principal, signal);
    const digested = await deps.digest(document, { query: question, snippets }, signal);
    const { digest, text, hash, chars, title = listedTitle } = digested;
    const quotes = digest === null ? quoteText(Buffer.from(text).toString(), question, snippets) : undefined;
    return {
      source_id,
      outcome: digest === null ? "short" : "digested",
      ...(title === undefined ? {} : { title }),
      source_text_hash: hash,
      chars,
      is_match: quotes === undefined ? digested.isMatch : quotes.length > 0,
      // A text that cannot be archived is still quoted, because its hash is known.
      is_kept: await deps.archive(digested, caller).catch(() => false),
      digest,
      query_counts: digested.queryCounts ?? { sentences: 0, counts: [] },
      ...(quotes === undefined ? { sections: digested.sections } : { quotes }),
    };
  } catch (err) {
    // An aborted read does not count as a failure of the source.
    signal.throwIfAborted();
    return { source_id, outcome: "failed", ...toSourceFailure(err, sourceName(source)) };
  }
}

/** The failure of a source that is itself a digest. The quotes from such a source would be quotes of quotes. */
const isDigest = {
  reason: "is_digest",
  error: "It is a digest already, and is never digested again",
  remediation: "Name the document that it was made of.",
};

/** Quotes the sentences that match a question, best first, from a text that is too short for a digest. */
export function quoteText(text: string, question: string, maxQuotes: number): readonly EvidenceSnippet[] {
  const sentences = findSentences({ text, blocks: text === "" ? [] : [0] });
  const offsets = new CodePointOffsets(text);
  const scores = rankByQuery(text, sentences, question);
  return selectSentences(text, sentences, scores, maxQuotes).map(({ sentence, score }) => {
    const [start, end] = [sentences.starts[sentence] ?? 0, sentences.ends[sentence] ?? 0];
    return {
      text: text.slice(start, end),
      locator: offsets.toLocator(start, end),
      relevance_score: roundScore(score),
    };
  });
}
