import { ContractError, type FieldError, validationError } from "@foundry-mcp/contract";
import { maskPasswords } from "../text/mask-secrets.ts";
import { toShellCommand } from "./shell-words.ts";

/** The error of an invalid command line: no call is made, and the exit code is 2. */
export class UsageError extends ContractError {
  constructor({ message, options }: ContractError) {
    super(message, options);
  }
}

/**
 * Creates a usage error; passwords in its texts are masked. `words` are the words of the command that replaces
 * `{1}` in the remediation.
 */
export function usageError(
  field: FieldError,
  message: string,
  remediation: string,
  { words }: { readonly words?: readonly string[] } = {},
): UsageError {
  const remedy = words === undefined ? {} : { remedy: { command: maskPasswords(toShellCommand(words)) } };
  const options = { message: maskPasswords(message), remediation: maskPasswords(remediation), ...remedy };
  return new UsageError(validationError(field, options));
}

/** Creates the error for a repeated option that takes only one value. */
export function givenTwice(flag: string): UsageError {
  return usageError(
    { field: flag, constraint: "duplicate" },
    `Cannot read the command line: ${flag} is given twice`,
    `Give ${flag} once.`,
  );
}
