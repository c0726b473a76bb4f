import { isTooDeep, maxDepth, mayBeTooDeep } from "./json-depth.ts";

/** The error of a JSON text that nests too deeply; all other errors in a text are plain SyntaxErrors. */
export class JsonDepthError extends SyntaxError {
  override readonly name = "JsonDepthError";

  constructor() {
    super(`It nests lists and objects deeper than ${maxDepth.toLocaleString("en")} levels`);
  }
}

/**
 * Parses JSON from an untrusted source and refuses a text that nests deeper than 1,000 levels. `JSON.parse` accepts
 * any depth, but `JSON.stringify`, validators and clones are recursive and would exhaust the stack.
 */
export function parseJsonText(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (mayBeTooDeep(text) && isTooDeep(value)) throw new JsonDepthError();
  return value;
}
