import { type ContractError, validationError } from "@foundry-mcp/contract";
import { type Environment, expandVariables } from "./expand-variables.ts";
import { isSecretName, minSecretLength } from "./redact.ts";

/** A header to send with every request, and its secrets. */
export interface ParsedHeader {
  readonly name: string;
  readonly value: string;
  /** Values that must not appear in any output. */
  readonly secrets: readonly string[];
}

const example = `'Authorization: Bearer \${API_TOKEN}'`;
const validName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Matches the characters of a header value: printable Latin-1 and tabs. */
const validValue = /^[\t\x20-\x7e\xa0-\xff]*$/;

/** Parses the value of `--header`: `Name: value` with variables as `${VAR}`. */
export function parseHeader(text: string, env: Environment): ParsedHeader {
  const at = text.indexOf(":");
  // The message does not quote the text, because a text without a name may be the secret itself.
  if (at === -1)
    throw badHeader("--header", "it has no colon, wanted Name: value", `Write --header ${example}.`);
  return toHeader(text.slice(0, at).trim(), text.slice(at + 1), env, "--header");
}

/** Creates a header from its name and unexpanded value. `field` is the path of the header in error messages. */
export function toHeader(name: string, written: string, env: Environment, field: string): ParsedHeader {
  if (!validName.test(name)) {
    const quoted = JSON.stringify(name.slice(0, 40).toWellFormed());
    throw badHeader(field, `${quoted} is not a valid header name`, `Write it as in ${example}.`);
  }
  const { text, missing, secrets } = expandVariables(written, env);
  if (missing.length > 0) throw missingVariables(field, `the header ${name}`, missing);
  const value = text.trim();
  if (!validValue.test(value)) {
    const why = `the value of ${name} contains a line break or another character that is not allowed in a header`;
    throw badHeader(field, why, `Give ${name} a value of one line of Latin characters.`);
  }
  if (value === "") throw badHeader(field, `${name} has no value`, `Write it as in ${example}.`);
  return { name, value, secrets: [...new Set([...secrets, ...literalSecrets(name, value)])] };
}

/** Creates the error for a text whose variables are not set. */
export function missingVariables(field: string, where: string, missing: readonly string[]): ContractError {
  const names = missing.join(", ");
  const are = missing.length === 1 ? "is" : "are";
  return validationError(
    { field, constraint: "variable", message: `${field}: ${names} ${are} not set` },
    {
      message: `Cannot read ${field}: ${where} needs ${names}, which ${are} not set in the environment`,
      remediation: `Set ${names} in the environment, or write a default as \${${missing[0] ?? "VAR"}:-default}.`,
    },
  );
}

/**
 * Returns the secrets that the text contains literally: the value, and the credentials after a scheme such as Bearer.
 */
function literalSecrets(name: string, value: string): readonly string[] {
  if (!isSecretName(name)) return [];
  return [value, value.replace(/^\S+\s+/, "")].filter((secret) => secret.length >= minSecretLength);
}

function badHeader(field: string, why: string, remediation: string): ContractError {
  return validationError(
    { field, constraint: "format", message: `${field}: ${why}` },
    { message: `Cannot read ${field}: ${why}`, remediation },
  );
}
