import { type ContractError, validationError } from "@foundry-mcp/contract";
import { type Environment, expandVariables, shortestSecret } from "./expand-variables.ts";
import { isSecretName } from "./is-secret-name.ts";

/** A header to send with every request. */
export interface ParsedHeader {
  readonly name: string;
  readonly value: string;
  /** What must not be told of it. */
  readonly secrets: readonly string[];
}

const example = `'Authorization: Bearer \${API_TOKEN}'`;
const goodName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What a header may hold: printable characters of one byte, and tabs. */
const goodValue = /^[\t\x20-\x7e\xa0-\xff]*$/;

/** Reads a header as `--header` gives it: `Name: value`, variables as `${VAR}`. */
export function parseHeader(text: string, env: Environment): ParsedHeader {
  const at = text.indexOf(":");
  // The text is not quoted: where the name was forgotten, it is the secret.
  if (at === -1)
    throw badHeader("--header", "it has no colon, wanted Name: value", `Write --header ${example}.`);
  return toHeader(text.slice(0, at).trim(), text.slice(at + 1), env, "--header");
}

/** A header from its name and its written value; `field` names the place of it in failures. */
export function toHeader(name: string, written: string, env: Environment, field: string): ParsedHeader {
  if (!goodName.test(name)) {
    const told = JSON.stringify(name.slice(0, 40).toWellFormed());
    throw badHeader(field, `${told} is no name of a header`, `Write it as in ${example}.`);
  }
  const { text, missing, secrets } = expandVariables(written, env);
  if (missing.length > 0) throw missingVariables(field, `the header ${name}`, missing);
  const value = text.trim();
  if (!goodValue.test(value)) {
    const why = `the value of ${name} holds a line break or another character that no header can hold`;
    throw badHeader(field, why, `Give ${name} a value of one line of Latin characters.`);
  }
  if (value === "") throw badHeader(field, `${name} has no value`, `Write it as in ${example}.`);
  return { name, value, secrets: [...new Set([...secrets, ...literalSecrets(name, value)])] };
}

/** Variables that are not set where a text needs them. */
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

/** A secret may stand in the text itself: the value, and what follows a scheme such as Bearer. */
function literalSecrets(name: string, value: string): readonly string[] {
  if (!isSecretName(name)) return [];
  return [value, value.replace(/^\S+\s+/, "")].filter((secret) => secret.length >= shortestSecret);
}

function badHeader(field: string, why: string, remediation: string): ContractError {
  return validationError(
    { field, constraint: "format", message: `${field}: ${why}` },
    { message: `Cannot read ${field}: ${why}`, remediation },
  );
}
