import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { getOwn, toList } from "../schemas/json-schema.ts";

const longestText = 2000;
const longestWord = 200;
/** Words before a list of what there is to choose from. */
const asks =
  /\b(?:use|uses|try|choose|pick|select|one of|either|any of|valid|allowed|available|supported|accepted|known|expected|must be|should be|can be|may be|such as|for example|did you mean|are)\b/i;
/** Words that ask for one thing as well; "available offline" offers nothing. */
const asksForOne = /^(?:use|try|choose|pick|select|such as|for example)$/i;
const quoted = /"([^"\n]{1,200})"|`([^`\n]{1,200})`|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu;

/** The words that a text offers to choose from: guesses and enumerations first, then what stands in quotes. */
export function wordsIn(text: string): readonly string[] {
  const line = text.slice(0, longestText);
  // `spec(action="list")` quotes an argument of another call.
  const apart = line.replaceAll(/\w+\([^()\n]*\)/g, " ");
  const words = [...guessesIn(apart), ...listsIn(apart), ...quotesIn(apart), ...quotesIn(line)];
  return [...new Set(words)].filter((word) => word !== "" && word.length <= longestWord);
}

/** What "Did you mean port?" guesses. */
export function guessesIn(text: string): readonly string[] {
  return [...text.slice(0, longestText).matchAll(/did you mean:?\s+([^?\n]{1,200})\?/gi)].flatMap(
    ([, guess = ""]) => itemsOf(guess),
  );
}

function quotesIn(text: string): readonly string[] {
  return [...text.matchAll(quoted)].map((found) => (found[1] ?? found[2] ?? found[3] ?? "").trim());
}

/** What the lists of a text list. */
export function listsIn(text: string): readonly string[] {
  return text
    .slice(0, longestText)
    .replaceAll(/\be\.g\.,?/gi, "such as")
    .split(/[.;!?](?=\s|$)|\n/)
    .flatMap(enumerated);
}

/** The items of "Use dover, calais or ostend" and of "Valid ports: dover, calais"; none of a sentence without a list. */
function enumerated(sentence: string): readonly string[] {
  const ask = asks.exec(sentence);
  if (ask === null) return [];
  const rest = sentence.slice(ask.index + ask[0].length);
  const colon = rest.lastIndexOf(": ");
  const list = colon < 0 ? rest : rest.slice(colon + 1);
  const items = itemsOf(list.replace(/^\s*(?:one of|either|any of|:)\s*/i, ""));
  return items.length > 1 || colon >= 0 || asksForOne.test(ask[0]) ? items : [];
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

/** One word; the first may have words before it, and the last words behind it. */
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

const mostWords = 10;
/** Keys of details that hold what would be right. */
const listKeys = ["nearest", "did_you_mean", "suggestion", "suggestions", "expected", "valid", "allowed"];
const moreListKeys = ["available", "choices", "options", "known", "valid_values", "allowed_values"];

/** What a failure suggests to try instead, the surest first. */
export function remedyWords(failure: {
  readonly error: string;
  readonly data: UnknownRecord;
}): readonly string[] {
  const details = getOwn(failure.data, "details");
  const parts = [details, ...toList(getOwn(details, "errors")).slice(0, 50)].filter(isRecord);
  const remediation = getOwn(failure.data, "remediation");
  const error: unknown = failure.error;
  const received = new Set(parts.map((part) => part["received"]));
  const words = [
    ...parts.flatMap(wordsOf),
    ...(typeof remediation === "string" ? wordsIn(remediation) : []),
    // What a message quotes is mostly what was wrong, so only its guesses and lists count.
    ...(typeof error === "string" ? [...guessesIn(error), ...listsIn(error)] : []),
  ];
  return [...new Set(words)]
    .filter((word) => word !== "" && word.length <= longestWord && !received.has(word))
    .slice(0, mostWords);
}

function wordsOf(part: UnknownRecord): readonly string[] {
  // There the list is of names of parameters.
  if (part["constraint"] === "unknown") return [];
  return [...listKeys, ...moreListKeys].flatMap((key) => toWords(getOwn(part, key), key));
}

function toWords(value: unknown, key: string): readonly string[] {
  if (Array.isArray(value)) {
    return value
      .slice(0, mostWords)
      .filter((item) => typeof item === "string" || typeof item === "number")
      .map(String);
  }
  if (typeof value !== "string") return [];
  // `expected` is often prose: "a string", "one of dover, calais".
  return /^\S+$/.test(value) && key !== "expected" ? [value] : listsIn(value);
}
