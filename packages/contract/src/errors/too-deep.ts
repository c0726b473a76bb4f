import { maxDepth } from "../json/json-depth.ts";
import type { ContractError } from "./contract-error.ts";
import { quoteShort, validationError } from "./validation-error.ts";

/**
 * Creates the failure of input that nests too deeply; `name` is an argument, or a source such as `the calls file`.
 *
 * @example
 * if (isTooDeep(options)) throw tooDeep("options");
 */
export function tooDeep(name: string, limit: number = maxDepth): ContractError {
  const levels = `${limit.toLocaleString("en")} levels`;
  const field = quoteShort(name);
  return validationError(
    { field, constraint: "max_depth", expected: `at most ${levels} of lists and objects` },
    {
      message: `Cannot read ${field}: it nests lists and objects deeper than ${levels}`,
      remediation: `Nest lists and objects in ${field} at most ${levels} deep.`,
    },
  );
}
