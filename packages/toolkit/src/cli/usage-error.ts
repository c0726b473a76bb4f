import { ContractError, type FieldError, validationError } from "@foundry-mcp/contract";
import { maskPasswords } from "../text/mask-secrets.ts";

/** A command line that cannot be understood: no call was made, and the program ends with 2. */
export class UsageError extends ContractError {
  constructor({ message, options }: ContractError) {
    super(message, options);
  }
}

/** The failure of a command line; `message` says what is wrong with it, `remediation` what to type. */
export function usageError(field: FieldError, message: string, remediation: string): UsageError {
  const { received } = field;
  const told =
    typeof received === "string" && maskPasswords(received) !== received
      ? { ...field, received: "***" }
      : field;
  const options = { message: maskPasswords(message), remediation: maskPasswords(remediation) };
  return new UsageError(validationError(told, options));
}

/** The refusal of an option that was given twice although it takes one value. */
export function givenTwice(flag: string): UsageError {
  return usageError(
    { field: flag, constraint: "duplicate" },
    `Cannot read the command line: ${flag} is given twice`,
    `Give ${flag} once.`,
  );
}
