import { minSecretLength } from "./redact.ts";
import type { UrlTarget } from "./server-target.ts";

/** A URL without user and password, the headers of its requests, and the secrets that were found in the URL. */
export interface RequestTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/**
 * Moves the user and password of a URL to an Authorization header, because fetch rejects a URL with credentials. A
 * header that is already set takes precedence.
 */
export function moveUserInfo({ url: address, headers = {} }: UrlTarget): RequestTarget {
  const url = new URL(address);
  const { username, password } = url;
  if (username === "" && password === "") return { url: address, headers, secrets: [] };
  const [name, secret] = [decode(username), decode(password)];
  const encoded = Buffer.from(`${name}:${secret}`).toString("base64");
  url.username = "";
  url.password = "";
  const isGiven = Object.keys(headers).some((each) => each.toLowerCase() === "authorization");
  return {
    url: url.href,
    headers: isGiven ? headers : { ...headers, Authorization: `Basic ${encoded}` },
    secrets: [secret, encoded].filter((value) => value.length >= minSecretLength),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
