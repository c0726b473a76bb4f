import {
  type DigestPayload,
  deserializePayload,
  digestContentType,
  serializePayload,
} from "@foundry-mcp/contract/digest";
import type { Context } from "@foundry-mcp/toolkit";
import { pluralize } from "@foundry-mcp/toolkit/cli";
import type { DigestedDocument } from "../documents/digest-document.ts";
import type { DocumentSource } from "../documents/load-document.ts";
import type { RawDocument } from "../documents/read-document.ts";
import type { ModelOptions } from "../model/chat-request.ts";
import { sourceName } from "../runs/source-name.ts";
import type { DigestDeps } from "./research.ts";
import { storeText } from "./text-archive.ts";

/** The options of a digest, as callers give them. */
export interface DigestInput {
  readonly query?: string | undefined;
  readonly snippets?: number | undefined;
  readonly use_model?: boolean | undefined;
}

/** The result of a digested source. */
export interface DigestedSource {
  readonly digest: DigestPayload | null;
  /** Why no digest was made: the text is too short, or is a digest already. */
  readonly reason?: "short" | "digested";
  readonly source: {
    readonly name: string;
    readonly content_type: typeof digestContentType | "text/plain";
    /** The digest as JSON text, or the whole text where there is none. */
    readonly content: string;
    readonly document_type?: string;
    readonly title?: string;
    readonly chars?: number;
    readonly source_text_hash: string;
  };
  readonly summary_by?: "extraction" | "model";
  /** How many quotes of the model do not occur in the source. */
  readonly dropped_quotes?: number;
  /** Whether the canonical text is archived, so that `verify` needs only the digest. */
  readonly is_archived?: boolean;
}

/** The maximum length of the passages that a model reads. */
const passageChars = 24_000;

/** Digests one source; throws an UnusableDocument where it cannot be read. */
export async function digestSource(
  deps: DigestDeps,
  source: DocumentSource,
  input: DigestInput,
  context: Context,
): Promise<DigestedSource> {
  const name = sourceName(source);
  const { signal, principal } = context;
  const { query = "", snippets, use_model: isModelWanted = true } = input;
  const model = isModelWanted ? deps.model : undefined;
  const raw = await deps.load(source, principal, signal);
  if (source.content_type === digestContentType) return passThrough(raw, name);
  const options = { query, snippets, ...(model === undefined ? {} : { passageChars }) };
  const document = await deps.pool.digest(raw, options, signal);
  const is_archived = await storeText(deps.archive, document, context);
  if (!is_archived)
    context.warn(`The text of ${name} could not be kept: to verify its digest, name the source as well`);
  if (!document.isMatch)
    context.warn(`${name} holds no word of the query; its digest is of what it is about`);
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
    return { digest: null, reason: "short", source: shortSource, is_archived };
  }
  const summarized: SummarizedDigest =
    model === undefined
      ? { digest: document.digest, summary_by: "extraction" }
      : await summarizeWithModel(model, document, document.digest, { query, name }, context);
  const content = serializePayload(summarized.digest);
  return { ...summarized, source: { ...described, content_type: digestContentType, content }, is_archived };
}

/** Returns a source that is a digest unchanged. */
function passThrough({ bytes }: RawDocument, name: string): DigestedSource {
  const text = Buffer.from(bytes).toString("utf8");
  const digest = deserializePayload(text);
  const { source_text_hash } = digest;
  const source = { name, content_type: digestContentType, content: text, source_text_hash } as const;
  return { digest, reason: "digested", source };
}

/** A digest with the origin of its summary. */
interface SummarizedDigest extends Pick<DigestedSource, "summary_by" | "dropped_quotes"> {
  readonly digest: DigestPayload;
}

/** Has the model write summary and key points; where it fails, warns and returns the extracted digest. */
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
