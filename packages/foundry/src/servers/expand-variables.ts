import { minSecretLength } from "./redact.ts";

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A text with its variables expanded. */
export interface Expanded {
  readonly text: string;
  /** Variables that are not set and have no default. These variables stay unexpanded in the text. */
  readonly missing: readonly string[];
  /** Values from the environment that are long enough to redact. */
  readonly secrets: readonly string[];
  /** The same values with the names of their variables. */
  readonly variables: readonly { readonly name: string; readonly value: string }[];
}

const reference = /\$\{([^{}]+)\}/g;

/** Expands `${VAR}` and `${VAR:-default}`, and `${env:VAR}` in the notation of VS Code. */
export function expandVariables(text: string, env: Environment): Expanded {
  const missing = new Set<string>();
  const variables: { name: string; value: string }[] = [];
  const expanded = text.replace(reference, (written: string, inner: string) => {
    const { name, fallback } = parseReference(inner);
    // Only own properties count, because every object inherits properties such as "constructor".
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined) {
      variables.push({ name, value });
      return value;
    }
    if (fallback === undefined) missing.add(name);
    return fallback ?? written;
  });
  const long = variables.filter(({ value }) => value.length >= minSecretLength);
  return {
    text: expanded,
    missing: [...missing],
    secrets: [...new Set(long.map(({ value }) => value))],
    variables: long,
  };
}

function parseReference(inner: string): { readonly name: string; readonly fallback: string | undefined } {
  const at = inner.indexOf(":-");
  const name = at === -1 ? inner : inner.slice(0, at);
  return { name: name.replace(/^env:/, ""), fallback: at === -1 ? undefined : inner.slice(at + 2) };
}
