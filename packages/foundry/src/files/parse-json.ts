import { ContractError } from "@foundry-mcp/contract";
import { JsonDepthError, parseJsonText, tooDeep } from "@foundry-mcp/contract/input";

/** Parses JSON. `origin` names the source in error messages, such as `the calls file "calls.json"`. */
export function parseJson(text: string, origin: string): unknown {
  // Some editors write a byte order mark at the beginning of a file.
  const plain = text.replace(/^\uFEFF/, "");
  try {
    return parseJsonText(plain);
  } catch (cause) {
    if (cause instanceof JsonDepthError) throw tooDeep({ source: origin });
    // The engine's message is not used. The engine's message quotes the text, which may contain secrets, and often
    // omits the position.
    throw toSyntaxError("JSON", origin, toPosition(plain, findJsonError(plain) ?? plain.length));
  }
}

/** A position in a text. Line and column start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Creates the error for a text that is not in the expected format, with the position of the first error. */
export function toSyntaxError(format: string, origin: string, { line, column }: Position): ContractError {
  const place = `line ${line}, column ${column}`;
  return new ContractError(`Cannot read ${origin}: it is not ${format}, see ${place}`, {
    errorCode: "INVALID_FORMAT",
    remediation: `Correct ${origin} at ${place}.`,
    details: { field: "the whole", constraint: "format", expected: format, line, column },
  });
}

function toPosition(text: string, at: number): Position {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

const token =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
  /[ \t\n\r]*(?:([{}[\],:])|("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** Returns the offset of the first syntax error in a JSON text, or undefined for valid JSON. */
export function findJsonError(text: string): number | undefined {
  const open: string[] = [];
  let wanted: "value" | "value or ]" | "key" | "key or }" | ":" | "next" = "value";
  let end = 0;
  while (!(wanted === "next" && open.length === 0)) {
    token.lastIndex = end;
    const [found, mark, string] = token.exec(text) ?? [];
    const at = end + (found ?? "").length - (found ?? "").trimStart().length;
    if (found === undefined) return skipSpace(text, end);
    const isValue = wanted === "value" || wanted === "value or ]";
    if (mark === undefined) {
      const isKey: boolean = string !== undefined && (wanted === "key" || wanted === "key or }");
      if (!isKey && !isValue) return at;
      wanted = isKey ? ":" : "next";
    } else if (isValue && (mark === "{" || mark === "[")) {
      open.push(mark);
      wanted = mark === "{" ? "key or }" : "value or ]";
    } else if (mark === ":" && wanted === ":") wanted = "value";
    else if (mark === "," && wanted === "next") wanted = open.at(-1) === "{" ? "key" : "value";
    else if (mark === "}" && open.at(-1) === "{" && (wanted === "key or }" || wanted === "next")) {
      open.pop();
      wanted = "next";
    } else if (mark === "]" && open.at(-1) === "[" && (wanted === "value or ]" || wanted === "next")) {
      open.pop();
      wanted = "next";
    } else return at;
    end += found.length;
  }
  const rest = skipSpace(text, end);
  return rest === text.length ? undefined : rest;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (" \t\n\r".includes(text[at] ?? "x")) at += 1;
  return at;
}
