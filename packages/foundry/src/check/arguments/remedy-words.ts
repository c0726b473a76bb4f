import type { UnknownRecord } from "@foundry-mcp/contract";
import { getOwn, isRecord, toList } from "../schemas/json-schema.ts";
import { guessesIn, listsIn, wordsIn } from "./words-in.ts";

const mostWords = 10;
const longestWord = 200;
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
