import type { DigestPayload } from "@foundry-mcp/contract/digest";
import type { Context } from "@foundry-mcp/toolkit";
import { toCount } from "@foundry-mcp/toolkit/cli";
import type { DigestedDocument } from "../documents/digest-document.ts";
import type { ModelOptions } from "../model/model-options.ts";

/** A digest, and who wrote its summary. */
export interface Written {
  readonly digest: DigestPayload;
  readonly summary_by: "extraction" | "model";
  /** How many quotes of the model are not in the source. */
  readonly dropped_quotes?: number;
}

/** Has the model write summary and key points; where it fails, what was extracted stays, and the answer says so. */
export async function writeWithModel(
  model: ModelOptions,
  { text, pages, passages = "" }: DigestedDocument,
  digest: DigestPayload,
  { query, name }: { readonly query: string; readonly name: string },
  context: Context,
): Promise<Written> {
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
      context.warn(`${toCount(written.droppedQuotes, "quote")} of the model dropped: not in ${name}`);
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
