/** Variables as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A text whose variables were replaced by their values. */
export interface Expanded {
  readonly text: string;
  /** Variables that are not set and have no default; they stay in the text as they were written. */
  readonly missing: readonly string[];
  /** Values that came from the environment and are long enough to be looked for. */
  readonly secrets: readonly string[];
  /** The same values by the names of their variables. */
  readonly variables: readonly { readonly name: string; readonly value: string }[];
}

/** Shorter values are found everywhere: to hide them would hide the rest. */
export const shortestSecret = 4;

const reference = /\$\{([^{}]+)\}/g;

/** Replaces `${VAR}` and `${VAR:-default}`, and `${env:VAR}` as VS Code writes it. */
export function expandVariables(text: string, env: Environment): Expanded {
  const missing = new Set<string>();
  const variables: { name: string; value: string }[] = [];
  const expanded = text.replace(reference, (written: string, inner: string) => {
    const { name, fallback } = parseReference(inner);
    // Names such as "constructor" are found in every object.
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined) {
      variables.push({ name, value });
      return value;
    }
    if (fallback === undefined) missing.add(name);
    return fallback ?? written;
  });
  const long = variables.filter(({ value }) => value.length >= shortestSecret);
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
