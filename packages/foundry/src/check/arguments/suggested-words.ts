import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { getOwn, toList } from "../schemas/json-schema.ts";

const maxTextLength = 2000;
const maxWordLength = 200;
/** Words that introduce a list of choices. */
const introductions =
  /\b(?:use|uses|try|choose|pick|select|one of|either|any of|valid|allowed|available|supported|accepted|known|expected|must be|should be|can be|may be|such as|for example|did you mean|are)\b/i;
/**
 * Words that may introduce a single choice. "available" is left out, because "available offline" names no
 * choice.
 */
const singleIntroductions = /^(?:use|try|choose|pick|select|such as|for example)$/i;
const quoted = /"([^"\n]{1,200})"|`([^`\n]{1,200})`|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu;

/**
 * Returns the words that a text suggests as values. Words in guesses ("did you mean") and enumerations come
 * before quoted words.
 */
export function suggestedWords(text: string): readonly string[] {
  const line = text.slice(0, maxTextLength);
  // A quote inside a call such as `spec(action="list")` is an argument of that call, not a suggestion.
  const apart = withoutCalls(line);
  const words = [...namedIn(line), ...quotesIn(apart), ...quotesIn(line)];
  return [...new Set(words)].filter((word) => word !== "" && word.length <= maxWordLength);
}

/**
 * Returns the words in the guesses and enumerations of a text. The contents of calls such as
 * `spec(action="list")` are ignored.
 */
function namedIn(text: string): readonly string[] {
  const apart = withoutCalls(text.slice(0, maxTextLength));
  return [...guessesIn(apart), ...enumerationsIn(apart)];
}

function withoutCalls(text: string): string {
  return text.replaceAll(/\w+\([^()\n]*\)/g, " ");
}

/** Returns the words that a text guesses, such as `port` in "Did you mean port?". */
function guessesIn(text: string): readonly string[] {
  return [...text.slice(0, maxTextLength).matchAll(/did you mean:?\s+([^?\n]{1,200})\?/gi)].flatMap(
    ([, guess = ""]) => itemsOf(guess),
  );
}

function quotesIn(text: string): readonly string[] {
  return [...text.matchAll(quoted)].map((found) => (found[1] ?? found[2] ?? found[3] ?? "").trim());
}

/** Returns the items of the enumerations in a text. */
function enumerationsIn(text: string): readonly string[] {
  return text
    .slice(0, maxTextLength)
    .replaceAll(/\be\.g\.,?/gi, "such as")
    .split(/[.;!?](?=\s|$)|\n/)
    .flatMap(enumerated);
}

/**
 * Returns the items of an enumeration such as "Use dover, calais or ostend" or "Valid ports: dover,
 * calais".
 */
function enumerated(sentence: string): readonly string[] {
  const introduction = introductions.exec(sentence);
  if (introduction === null) return [];
  const rest = sentence.slice(introduction.index + introduction[0].length);
  const colon = rest.lastIndexOf(": ");
  const list = colon < 0 ? rest : rest.slice(colon + 1);
  const items = itemsOf(list.replace(/^\s*(?:one of|either|any of|:)\s*/i, ""));
  return items.length > 1 || colon >= 0 || singleIntroductions.test(introduction[0]) ? items : [];
}

function itemsOf(list: string): readonly string[] {
  const parts = list
    .split(/\s*[,|]\s*(?:(?:or|and)\s+)?|\s+(?:or|and)\s+/i)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !/^\d+ (?:more|others)$/.test(part));
  const quotes = parts.flatMap(quotesIn);
  if (quotes.length > 0) return quotes;
  return parts
    .map((part, index) => toItem(part, index === 0, index === parts.length - 1))
    .filter((item) => item !== "" && item !== "again");
}

/**
 * Returns the item in one part of an enumeration. The first part may have words before its item, and the
 * last part may have words after its item.
 */
function toItem(part: string, isFirst: boolean, isLast: boolean): string {
  const words = part
    .replace(/\s\([^()]*\)$/, "")
    .replaceAll(/^[([{]+|[)\]}]+$/g, "")
    .split(/\s+/);
  if (words.length === 1) return words[0] ?? "";
  if (isFirst && isLast) return "";
  if (isFirst) return words.at(-1) ?? "";
  return isLast ? (words[0] ?? "") : "";
}

const maxWords = 10;
/** Keys of the error details that hold valid values. */
const listKeys = [
  "nearest",
  "did_you_mean",
  "suggestion",
  "suggestions",
  "expected",
  "valid",
  "allowed",
  "available",
  "choices",
  "options",
  "known",
  "valid_values",
  "allowed_values",
];

/** Returns the values that a failure suggests, the most certain first. */
export function suggestionsOf(
  failure: { readonly error: string; readonly data: UnknownRecord },
  /** False to ignore words that are only quoted, because quoted words may be parts of other calls. */
  { quotes = true }: { readonly quotes?: boolean } = {},
): readonly string[] {
  const details = getOwn(failure.data, "details");
  const parts = [details, ...toList(getOwn(details, "errors")).slice(0, 50)].filter(isRecord);
  const remediation = getOwn(failure.data, "remediation");
  const error: unknown = failure.error;
  const received = new Set(parts.map((part) => part["received"]));
  const words = [
    ...parts.flatMap(wordsOf),
    ...(typeof remediation !== "string" ? [] : quotes ? suggestedWords(remediation) : namedIn(remediation)),
    // An error message mostly quotes the rejected value, so only its guesses and enumerations are read.
    ...(typeof error === "string" ? [...guessesIn(error), ...enumerationsIn(error)] : []),
  ];
  return [...new Set(words)]
    .filter((word) => word !== "" && word.length <= maxWordLength && !received.has(word))
    .slice(0, maxWords);
}

function wordsOf(part: UnknownRecord): readonly string[] {
  // For an unknown parameter, the lists in the error details contain parameter names instead of values.
  if (part["constraint"] === "unknown") return [];
  return listKeys.flatMap((key) => toWords(getOwn(part, key), key));
}

function toWords(value: unknown, key: string): readonly string[] {
  if (Array.isArray(value)) {
    return value
      .slice(0, maxWords)
      .filter((item) => typeof item === "string" || typeof item === "number")
      .map(String);
  }
  if (typeof value !== "string") return [];
  // The detail `expected` is often prose, for example "a string" or "one of dover, calais".
  return /^\S+$/.test(value) && key !== "expected" ? [value] : enumerationsIn(value);
}
