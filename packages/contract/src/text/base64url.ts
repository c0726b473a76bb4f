// Standard in browsers, workers, Deno, Bun and Node; only TypeScript's language library does not list them.
declare function btoa(binary: string): string;
declare function atob(base64: string): string;

/** Encodes ASCII text as URL-safe base64 without padding. */
export function toBase64Url(ascii: string): string {
  return btoa(ascii).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Decodes base64 in either alphabet, padded or not; null for anything else. */
export function fromBase64Url(text: string): string | null {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null;
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return null;
  }
}
