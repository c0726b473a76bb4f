import { ContractError, type FieldError, validationError } from "@foundry-mcp/contract";
import { maskPasswords } from "../text/mask-secrets.ts";

/** A command line that cannot be parsed: no call is made, and the exit code is 2. */
export class UsageError extends ContractError {
  constructor({ message, options }: ContractError) {
    super(message, options);
  }
}

/** Creates a usage error; passwords in its texts are masked. */
export function usageError(field: FieldError, message: string, remediation: string): UsageError {
  const options = { message: maskPasswords(message), remediation: maskPasswords(remediation) };
  return new UsageError(validationError(field, options));
}

/** The refusal of an option with one value that is given twice. */
export function givenTwice(flag: string): UsageError {
  return usageError(
    { field: flag, constraint: "duplicate" },
    `Cannot read the command line: ${flag} is given twice`,
    `Give ${flag} once.`,
  );
}
