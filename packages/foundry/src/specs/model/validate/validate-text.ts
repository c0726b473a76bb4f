import { isContractError } from "@foundry-mcp/contract";
import { parseJson } from "../../../files/parse-json.ts";
import { maxBytes } from "../text-limits.ts";
import type { ValidateOptions } from "./check-context.ts";
import type { Finding } from "./finding.ts";
import { toValidation, type Validation, validateSpec } from "./validate-spec.ts";

/** Holds the text of a spec file to the rules of specs. Never throws. */
export function validateText(text: string, options?: ValidateOptions): Validation {
  const fail = (finding: Finding) => toValidation((add) => add(finding));
  // In UTF-8 a text has at least as many bytes as it has UTF-16 units.
  if (text.length > maxBytes)
    return fail({
      code: "INPUT_TOO_LARGE",
      path: [],
      message: `The spec is larger than ${maxBytes / 2 ** 20} MiB`,
      remedy: "Split it into several specs.",
    });
  let document: unknown;
  try {
    document = parseJson(text, "the spec");
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    const { message, options: told } = thrown;
    return fail({ code: "INVALID_JSON", path: [], message, remedy: told.remediation });
  }
  return validateSpec(document, options);
}
