import { isTooDeep, maxDepth, mayBeTooDeep } from "./json-depth.ts";

/** The error of a JSON text that nests too deeply; other faults of a text are a plain SyntaxError. */
export class JsonDepthError extends SyntaxError {
  override readonly name = "JsonDepthError";

  constructor() {
    super(`It nests lists and objects deeper than ${maxDepth.toLocaleString("en")} levels`);
  }
}

/**
 * Parses JSON that somebody else wrote. It refuses a text that nests deeper than 1,000 levels: `JSON.parse` reads
 * any depth, but `JSON.stringify`, validators and clones recurse and would exhaust the stack on its result.
 */
export function parseJsonText(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (mayBeTooDeep(text) && isTooDeep(value)) throw new JsonDepthError();
  return value;
}
