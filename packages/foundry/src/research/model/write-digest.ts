import { askModel } from "./ask-model.ts";
import { digestFromAnswer, type WrittenDigest } from "./parse-digest-answer.ts";
import { type DigestQuestion, digestPrompt } from "./digest-prompt.ts";
import { ModelFailure } from "./model-failure.ts";
import type { ModelOptions } from "./model-options.ts";
import type { QuotedText } from "./locate-quotes.ts";

export type { WrittenDigest } from "./parse-digest-answer.ts";

/** What was extracted of a document, and what a model is to read of it. */
export interface ExtractedDigest extends DigestQuestion, QuotedText {}

/** Has a model write summary and key points of a digest; the evidence stays as exact as it was. */
export async function writeDigest(
  model: ModelOptions,
  extracted: ExtractedDigest,
  signal: AbortSignal,
): Promise<WrittenDigest> {
  const { messages, mark } = digestPrompt(extracted);
  const answer = await askModel(model, messages, signal);
  if (answer.includes(mark))
    throw new ModelFailure("garbage", "The answer of the model repeats what it was asked");
  return digestFromAnswer(answer, extracted.digest, extracted);
}
