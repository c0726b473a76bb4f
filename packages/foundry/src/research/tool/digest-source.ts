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
import type { ResearchDeps } from "./research.ts";
import { storeText } from "./text-archive.ts";

/** How a source is to be digested. */
export interface DigestInput {
  readonly query?: string | undefined;
  readonly snippets?: number | undefined;
  readonly use_model?: boolean | undefined;
}

/** What came of a source. */
export interface DigestedSource {
  readonly digest: DigestPayload | null;
  /** Why there is no new digest. */
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
  readonly dropped_quotes?: number;
  /** Whether the canonical text is kept, so that `verify` needs nothing but the digest. */
  readonly is_archived?: boolean;
}

/** How many characters of a document a model reads at most. */
const passageChars = 24_000;

/** Digests one source; throws an UnusableDocument where it cannot be. */
export async function digestSource(
  deps: ResearchDeps,
  source: DocumentSource,
  wishes: DigestInput,
  context: Context,
): Promise<DigestedSource> {
  const name = sourceName(source);
  const { signal, principal } = context;
  const { query = "", snippets, use_model: isWanted = true } = wishes;
  const model = isWanted ? deps.model : undefined;
  const found = await deps.load(source, principal, signal);
  if (source.content_type === digestContentType) return passOn(found, name);
  const options = { query, snippets, ...(model === undefined ? {} : { passageChars }) };
  const document = await deps.pool.digest(found, options, signal);
  const is_archived = await storeText(deps.archive, document, context);
  if (!is_archived)
    context.warn(`The text of ${name} could not be kept: to verify its digest, name the source as well`);
  if (!document.isMatch)
    context.warn(`${name} holds no word of the query; its digest is of what it is about`);
  if (document.digest === null) return { ...short(document, name), is_archived };
  const written: SummarizedDigest =
    model === undefined
      ? { digest: document.digest, summary_by: "extraction" }
      : await summarizeWithModel(model, document, document.digest, { query, name }, context);
  return {
    ...written,
    source: {
      ...about(document, name),
      content_type: digestContentType,
      content: serializePayload(written.digest),
    },
    is_archived,
  };
}

/** A source that is a digest is never digested again. */
function passOn({ bytes }: RawDocument, name: string): DigestedSource {
  const text = Buffer.from(bytes).toString("utf8");
  const digest = deserializePayload(text);
  const { source_text_hash } = digest;
  const source = { name, content_type: digestContentType, content: text, source_text_hash } as const;
  return { digest, reason: "digested", source };
}

function short(document: DigestedDocument, name: string): DigestedSource {
  const content = Buffer.from(document.text).toString("utf8");
  return {
    digest: null,
    reason: "short",
    source: { ...about(document, name), content_type: "text/plain", content },
  };
}

function about({ type, title, chars, hash }: DigestedDocument, name: string) {
  return {
    name,
    document_type: type,
    ...(title === undefined ? {} : { title }),
    chars,
    source_text_hash: hash,
  };
}

/** A digest, and who wrote its summary. */
export interface SummarizedDigest {
  readonly digest: DigestPayload;
  readonly summary_by: "extraction" | "model";
  /** How many quotes of the model are not in the source. */
  readonly dropped_quotes?: number;
}

/** Has the model write summary and key points; where it fails, what was extracted stays, and the answer says so. */
export async function summarizeWithModel(
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
