import { maxDepth } from "../json/json-depth.ts";
import type { ContractError } from "./contract-error.ts";
import { quoteField } from "./quotable.ts";
import { validationError } from "./validation-error.ts";

/**
 * Creates the failure of input that nests too deeply. `name` is the name of an argument, which is quoted only if
 * that is safe, or a source that the program itself names, such as `the calls file "calls.json"`.
 *
 * @example
 * if (isTooDeep(options)) throw tooDeep("options");
 */
export function tooDeep(name: string | { readonly source: string }, limit: number = maxDepth): ContractError {
  const levels = `${limit.toLocaleString("en")} levels`;
  const field = typeof name === "string" ? quoteField(name, false) : name.source;
  return validationError(
    { field, constraint: "max_depth", expected: `at most ${levels} of lists and objects` },
    {
      message: `Cannot read ${field}: it nests lists and objects deeper than ${levels}`,
      remediation: `Nest lists and objects in ${field} at most ${levels} deep.`,
    },
  );
}
