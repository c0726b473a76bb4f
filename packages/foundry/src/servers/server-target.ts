import { toShellCommand } from "@foundry-mcp/toolkit/cli";
import type { CommandTarget } from "@foundry-mcp/toolkit/client";
import { toConfigError, toFieldPath } from "./config-errors.ts";
import { type Environment, expandVariables } from "./expand-variables.ts";
import type { CommandEntry, UrlEntry } from "./mcp-servers-file.ts";
import { missingVariables, toHeader } from "./parse-header.ts";
import { createRedactor, isSecretName, minSecretLength } from "./redact.ts";

/** The URL of a server, and headers to send with every request. */
export interface UrlTarget {
  readonly url: string;
  /** True for the transport of protocol version 2024-11-05. @default false */
  readonly isSse?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server to connect to, and its secrets. */
export interface ServerTarget {
  /** The name of the server in messages and reports: its command line or URL, without secrets. */
  readonly label: string;
  readonly target: CommandTarget | UrlTarget;
  /** Values that must not appear in any output. */
  readonly secrets: readonly string[];
}

/** The file and path of an entry, and the environment for its variables. */
export interface EntryContext {
  readonly origin: string;
  readonly path: readonly string[];
  readonly env: Environment;
}

/** Converts an entry to a target: expands its variables and collects its secrets. */
export function toServerTarget(entry: CommandEntry | UrlEntry, context: EntryContext): ServerTarget {
  return "url" in entry ? toUrlTarget(entry, context) : toCommandTarget(entry, context);
}

function toCommandTarget({ command, args, env, cwd }: CommandEntry, context: EntryContext): ServerTarget {
  const secrets: string[] = [];
  // The arguments of a command are mostly paths, so only variables with secret names are treated as secrets.
  const expandArgument = (written: string, key: string, index?: number) => {
    const { text, variables } = expand(written, context, index === undefined ? [key] : [key, index]);
    secrets.push(...variables.filter(({ name }) => isSecretName(name)).map(({ value }) => value));
    return text;
  };
  const variables = Object.entries(env).map(([name, written]): [string, string] => {
    const { text, secrets: found } = expand(written, context, ["env", name]);
    secrets.push(...found);
    if (isSecretName(name) && text.length >= minSecretLength) secrets.push(text);
    return [name, text];
  });
  const target = {
    command: expandArgument(command, "command"),
    args: args.map((word, index) => expandArgument(word, "args", index)),
    ...(variables.length === 0 ? {} : { env: Object.fromEntries(variables) }),
    ...(cwd === undefined ? {} : { cwd: expandArgument(cwd, "cwd") }),
  };
  // The label shows the entry with unexpanded variables.
  return { label: toShellCommand([command, ...args]), target, secrets: [...new Set(secrets)] };
}

function toUrlTarget(
  { url: written, headers, isSse = false }: UrlEntry,
  context: EntryContext,
): ServerTarget {
  const { text, secrets: found } = expand(written, context, ["url"]);
  const url = toUrl(text, context);
  const parsedHeaders = Object.entries(headers).map(([name, value]) =>
    toHeader(name, value, context.env, toFieldPath([...context.path, "headers", name])),
  );
  // The host is never hidden, because the label would not identify the server without it.
  const hidden = found.filter((secret) => !url.origin.includes(secret.replace(/\/$/, "")));
  const secrets = [
    ...new Set([...hidden, ...secretsOfUrl(url), ...parsedHeaders.flatMap((header) => header.secrets)]),
  ];
  return {
    label: createRedactor(secrets)(url.origin + url.pathname),
    target: {
      url: text,
      ...(isSse ? { isSse } : {}),
      ...(parsedHeaders.length === 0
        ? {}
        : { headers: Object.fromEntries(parsedHeaders.map(({ name, value }) => [name, value])) }),
    },
    secrets,
  };
}

function expand(written: string, { env, path }: EntryContext, keys: readonly PropertyKey[]) {
  const expanded = expandVariables(written, env);
  const field = toFieldPath([...path, ...keys]);
  if (expanded.missing.length > 0) throw missingVariables(field, "it", expanded.missing);
  return expanded;
}

function toUrl(text: string, { origin, path }: EntryContext): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  const field = toFieldPath([...path, "url"]);
  const message = `${field} is no address that begins with http:// or https://`;
  throw toConfigError(origin, [{ field, constraint: "format", message }]);
}

function secretsOfUrl({ username, password, searchParams }: URL): readonly string[] {
  const parameters = [...searchParams].filter(([name]) => isSecretName(name)).map(([, value]) => value);
  return [decode(username), decode(password), ...parameters].filter(
    (secret) => secret.length >= minSecretLength,
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
