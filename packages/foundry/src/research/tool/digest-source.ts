import {
  type DigestPayload,
  deserializePayload,
  digestContentType,
  serializePayload,
} from "@foundry-mcp/contract/digest";
import type { Context } from "@foundry-mcp/toolkit";
import { pluralize } from "@foundry-mcp/toolkit/cli";
import type { Confidence } from "../digest/confidence.ts";
import type { Answerability, QuoteSection } from "../digest/digest-text.ts";
import type { DigestedDocument } from "../documents/digest-document.ts";
import type { DocumentSource } from "../documents/load-document.ts";
import type { RawDocument } from "../documents/read-document.ts";
import type { ModelOptions } from "../model/chat-request.ts";
import { sourceName } from "../runs/source-name.ts";
import type { DigestDeps } from "./research.ts";
import { storeText } from "./text-archive.ts";

/** The options of a digest, as passed by callers. */
export interface DigestInput {
  readonly query?: string | undefined;
  readonly snippets?: number | undefined;
  readonly use_model?: boolean | undefined;
  readonly include_source?: boolean | undefined;
}

/** The result of a digested source. */
export interface DigestedSource {
  readonly digest: DigestPayload | null;
  /** The reason why no digest was made. Either the text is too short, or it is already a digest. */
  readonly reason?: "short" | "digested";
  readonly source: {
    readonly name: string;
    readonly content_type: typeof digestContentType | "text/plain";
    /** The digest as JSON text, if it was asked for, or the whole text if there is no digest. */
    readonly content?: string;
    readonly document_type?: string;
    readonly title?: string;
    readonly chars?: number;
    readonly source_text_hash: string;
  };
  readonly summary_by?: "extraction" | "model";
  /** How well the document answers the query: the confidence level. Undefined if there is no query. */
  readonly confidence?: Confidence;
  /** The section and page of each quote, in the order of the quotes. */
  readonly sections?: readonly QuoteSection[];
  /** The number of the model's quotes that do not occur in the source. */
  readonly dropped_quotes?: number;
  /** True if the canonical text is archived, so that `verify` needs only the digest. */
  readonly is_archived?: boolean;
}

/** The maximum length of the passages that a model reads. */
const passageChars = 24_000;

/** Digests one source. Throws an UnusableDocument if the source cannot be read. */
export async function digestSource(
  deps: DigestDeps,
  source: DocumentSource,
  input: DigestInput,
  context: Context,
): Promise<DigestedSource> {
  const name = sourceName(source);
  const { signal, principal } = context;
  const { query = "", snippets, use_model: isModelWanted = true, include_source = false } = input;
  const model = isModelWanted ? deps.model : undefined;
  const raw = await deps.load(source, principal, signal);
  if (source.content_type === digestContentType) return passThrough(raw, name, include_source);
  const options = { query, snippets, ...(model === undefined ? {} : { passageChars }) };
  const document = await deps.pool.digest(raw, options, signal);
  const is_archived = await storeText(deps.archive, document, context);
  if (!is_archived)
    context.warn(`The text of ${name} could not be kept: to verify its digest, name the source as well`);
  const { answerability } = document;
  if (answerability?.confidence === "none") context.warn(describeMiss(name, query, document));
  const { type, title, chars, hash } = document;
  const described = {
    name,
    document_type: type,
    ...(title === undefined ? {} : { title }),
    chars,
    source_text_hash: hash,
  };
  if (document.digest === null) {
    const content = Buffer.from(document.text).toString("utf8");
    const shortSource = { ...described, content_type: "text/plain", content } as const;
    return {
      digest: null,
      reason: "short",
      ...confidenceOf(answerability),
      source: shortSource,
      is_archived,
    };
  }
  const summarized: SummarizedDigest =
    // If the passages do not answer the query, the model is not asked, because it could only invent an answer.
    model === undefined || answerability?.confidence === "none"
      ? { digest: document.digest, summary_by: "extraction" }
      : await summarizeWithModel(model, document, document.digest, { query, name }, context);
  return {
    ...summarized,
    ...confidenceOf(answerability),
    sections: document.sections,
    source: {
      ...described,
      content_type: digestContentType,
      ...(include_source ? { content: serializePayload(summarized.digest) } : {}),
    },
    is_archived,
  };
}

function confidenceOf(answerability: Answerability | undefined): Pick<DigestedSource, "confidence"> {
  return answerability === undefined ? {} : { confidence: answerability.confidence };
}

/** The maximum number of words that a warning lists. */
const maxWords = 10;

/** Returns a warning that a document does not answer the query, with the words that were not found. */
function describeMiss(name: string, query: string, { answerability, isMatch }: DigestedDocument): string {
  const { sought = [], missing = [] } = answerability ?? {};
  const quoted = (words: readonly string[]) =>
    words
      .slice(0, maxWords)
      .map((word) => JSON.stringify(word))
      .join(", ");
  const wanted = sought.length === 0 ? JSON.stringify(query.slice(0, 100)) : quoted(sought);
  if (!isMatch)
    return `${name} does not answer the query: it does not mention ${wanted}; its quotes only show what it is about`;
  const absent = missing.length === 0 ? "" : `, and ${quoted(missing)} nowhere`;
  return `${name} does not answer the query: no passage has enough of ${wanted}${absent}; its quotes are the nearest passages`;
}

/** Returns a source that is already a digest. The source is not changed. */
function passThrough({ bytes }: RawDocument, name: string, isIncluded: boolean): DigestedSource {
  const text = Buffer.from(bytes).toString("utf8");
  const digest = deserializePayload(text);
  const { source_text_hash } = digest;
  const content = isIncluded ? { content: text } : {};
  const source = { name, content_type: digestContentType, ...content, source_text_hash } as const;
  return { digest, reason: "digested", source };
}

/** A digest with the origin of its summary. */
interface SummarizedDigest extends Pick<DigestedSource, "summary_by" | "dropped_quotes"> {
  readonly digest: DigestPayload;
}

/** Lets the model write the summary and key points. If that fails, warns and returns the extracted digest. */
async function summarizeWithModel(
  model: ModelOptions,
  { text, pages, passages = "" }: DigestedDocument,
  digest: DigestPayload,
  { query, name }: { readonly query: string; readonly name: string },
  context: Context,
): Promise<SummarizedDigest> {
  const { writeDigest } = await import("../model/write-digest.ts");
  const { ModelFailure } = await import("../model/model-failure.ts");
  try {
    const canonicalText = Buffer.from(text).toString("utf8");
    const written = await writeDigest(
      model,
      { digest, canonicalText, pages, passages, query },
      context.signal,
    );
    if (written.droppedQuotes > 0)
      context.warn(`${pluralize(written.droppedQuotes, "quote")} of the model dropped: not in ${name}`);
    return { digest: written.digest, summary_by: "model", dropped_quotes: written.droppedQuotes };
  } catch (err) {
    if (!(err instanceof ModelFailure)) throw err;
    context.warn("FALLBACK_USED", `The summary of ${name} is extracted: ${err.message}`, {
      from: "model",
      reason: err.reason,
    });
    return { digest, summary_by: "extraction" };
  }
}
