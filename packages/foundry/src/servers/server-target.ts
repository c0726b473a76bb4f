import { toShellCommand } from "@foundry-mcp/toolkit/cli";
import type { CommandTarget } from "@foundry-mcp/toolkit/client";
import { type Environment, expandVariables, shortestSecret } from "./expand-variables.ts";
import { isSecretName } from "./is-secret-name.ts";
import { missingVariables, toHeader } from "./parse-header.ts";
import { createRedactor } from "./redact.ts";
import { toFileError, toPlaceName } from "./schema-problems.ts";
import type { CommandEntry, UrlEntry } from "./server-entry.ts";

/** A server with an address, and what to send with every request. */
export interface UrlTarget {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server to connect to. */
export interface ServerTarget {
  /** How to call it in messages and reports: its command line or address, without secrets. */
  readonly label: string;
  readonly target: CommandTarget | UrlTarget;
  /** What must not be told of it. */
  readonly secrets: readonly string[];
}

/** Where a server is written, and the variables that it may use. */
export interface EntryContext {
  readonly origin: string;
  readonly path: readonly string[];
  readonly env: Environment;
}

/** What to connect to for a server as it is written. */
export function toServerTarget(entry: CommandEntry | UrlEntry, context: EntryContext): ServerTarget {
  return "url" in entry ? toUrlTarget(entry, context) : toCommandTarget(entry, context);
}

function toCommandTarget({ command, args, env, cwd }: CommandEntry, context: EntryContext): ServerTarget {
  const secrets: string[] = [];
  // The words of a command hold paths above all; only what is called a secret is taken for one.
  const expandWord = (written: string, key: string, index?: number) => {
    const { text, variables } = expand(written, context, index === undefined ? [key] : [key, index]);
    secrets.push(...variables.filter(({ name }) => isSecretName(name)).map(({ value }) => value));
    return text;
  };
  const variables = Object.entries(env).map(([name, written]): [string, string] => {
    const { text, secrets: found } = expand(written, context, ["env", name]);
    secrets.push(...found);
    if (isSecretName(name) && text.length >= shortestSecret) secrets.push(text);
    return [name, text];
  });
  const target = {
    command: expandWord(command, "command"),
    args: args.map((word, index) => expandWord(word, "args", index)),
    ...(variables.length === 0 ? {} : { env: Object.fromEntries(variables) }),
    ...(cwd === undefined ? {} : { cwd: expandWord(cwd, "cwd") }),
  };
  // As it is written: the variables by their names.
  return { label: toShellCommand([command, ...args]), target, secrets: [...new Set(secrets)] };
}

function toUrlTarget({ url: written, headers }: UrlEntry, context: EntryContext): ServerTarget {
  const { text, secrets: found } = expand(written, context, ["url"]);
  const url = toUrl(text, context);
  const sent = Object.entries(headers).map(([name, value]) =>
    toHeader(name, value, context.env, toPlaceName([...context.path, "headers", name])),
  );
  // Who knows the address knows the host: to hide it would hide which server is meant.
  const hidden = found.filter((secret) => !url.origin.includes(secret.replace(/\/$/, "")));
  const secrets = [
    ...new Set([...hidden, ...secretsOfUrl(url), ...sent.flatMap((header) => header.secrets)]),
  ];
  return {
    label: createRedactor(secrets)(url.origin + url.pathname),
    target: {
      url: text,
      ...(sent.length === 0
        ? {}
        : { headers: Object.fromEntries(sent.map(({ name, value }) => [name, value])) }),
    },
    secrets,
  };
}

function expand(written: string, { env, path }: EntryContext, place: readonly PropertyKey[]) {
  const expanded = expandVariables(written, env);
  const field = toPlaceName([...path, ...place]);
  if (expanded.missing.length > 0) throw missingVariables(field, "it", expanded.missing);
  return expanded;
}

function toUrl(text: string, { origin, path }: EntryContext): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  const field = toPlaceName([...path, "url"]);
  const message = `${field} is no address that begins with http:// or https://`;
  throw toFileError(origin, [{ field, constraint: "format", message }]);
}

function secretsOfUrl({ username, password, searchParams }: URL): readonly string[] {
  const asked = [...searchParams].filter(([name]) => isSecretName(name)).map(([, value]) => value);
  return [decode(username), decode(password), ...asked].filter((secret) => secret.length >= shortestSecret);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
