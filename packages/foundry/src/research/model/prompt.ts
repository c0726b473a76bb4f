import { createHash } from "node:crypto";
import { askModel } from "./ask-model.ts";
import type { ModelOptions } from "./chat-request.ts";
import { ModelFailure } from "./model-failure.ts";

/** Untrusted texts between delimiters that do not occur in them. */
export interface FencedTexts {
  readonly text: string;
  readonly delimiter: string;
}

/** A prompt with rules that name the delimiter, and fenced texts. */
export interface Prompt extends FencedTexts {
  readonly rules: string;
}

/**
 * Fences texts under their names, so that no text can pretend to be outside its fence. Equal texts produce equal
 * delimiters.
 */
export function fence(texts: Readonly<Record<string, string>>): FencedTexts {
  const all = Object.values(texts).join("\n");
  let delimiter = "";
  do {
    delimiter = createHash("sha256").update(delimiter).update(all).digest("hex").slice(0, 16);
  } while (all.includes(delimiter));
  const text = Object.entries(texts)
    .map(([name, each]) => `<<<${name} ${delimiter}\n${each}\n${name} ${delimiter}>>>`)
    .join("\n\n");
  return { text, delimiter };
}

/** Sends a prompt and returns the answer. Throws a ModelFailure if the answer repeats the prompt. */
export async function askPrompt(
  model: ModelOptions,
  { rules, text, delimiter }: Prompt,
  signal: AbortSignal,
): Promise<string> {
  const messages = [
    { role: "system", content: rules },
    { role: "user", content: text },
  ] as const;
  const answer = await askModel(model, messages, signal);
  // The delimiter does not occur in any of the texts, so an answer that contains it repeats the prompt.
  if (answer.includes(delimiter))
    throw new ModelFailure("garbage", "The answer of the model repeats what it was asked");
  return answer;
}
