import { UnusableDocument } from "./unusable-document.ts";

/** What is known of how a text is encoded. */
export interface DecodeOptions {
  /** What it is surely encoded in, whatever it says itself. */
  readonly charset?: string | undefined;
  /** What its server says that it is: `text/plain; charset=utf-8`. */
  readonly contentType?: string | undefined;
  /** True for a page, which may say it itself. */
  readonly isHtml?: boolean | undefined;
}

/**
 * Decodes a text: by its mark, by what its server or the page itself says, else as UTF-8. What does not fit is told:
 * a guess would put words into a text that are not in it.
 */
export function decodeText(bytes: Uint8Array, options: DecodeOptions = {}): string {
  const named = charsetOf(bytes, options);
  // Texts in UTF-16 are full of NULs; those that do not say what they are cannot be told from anything else.
  if (!named?.startsWith("utf-16") && isBinary(bytes))
    throw new UnusableDocument("binary", "It is binary, not text");
  const decoder = decoderOf(named ?? "utf-8");
  try {
    // In one piece Node takes this charset, the most usual of the old ones, for ISO 8859-1: € and quotes are lost.
    return decoder.encoding === "windows-1252"
      ? decoder.decode(bytes, { stream: true }) + decoder.decode()
      : decoder.decode(bytes);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException | null)?.code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw cause;
    const why =
      named === undefined
        ? "It is not in UTF-8, and does not say what else it is in"
        : `It says that it is in "${named.slice(0, 40)}", but it is not`;
    throw new UnusableDocument("charset", why, cause);
  }
}

function charsetOf(bytes: Uint8Array, { charset, contentType = "", isHtml }: DecodeOptions) {
  return charset ?? markOf(bytes) ?? charsetIn(contentType) ?? (isHtml ? charsetInPage(bytes) : undefined);
}

interface Decoder {
  readonly encoding: string;
  decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string;
}

function decoderOf(charset: string): Decoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch (cause) {
    const shown = charset.slice(0, 40);
    throw new UnusableDocument("charset", `It says that it is in "${shown}", which is not known`, cause);
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  // The mark of UTF-32 begins with that of UTF-16, and nobody decodes it.
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return bytes[2] === 0 && bytes[3] === 0 ? "utf-32le" : "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** Texts hold no NUL, and few other characters that only machines read. */
function isBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 8_192);
  let odd = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    // Old Japanese and Korean texts are switched by shifts and escapes: 0x0e, 0x0f, 0x1b.
    if (byte < 0x07 || (byte > 0x0f && byte < 0x1b)) odd++;
  }
  return odd > head.length / 20;
}

function charsetIn(contentType: string): string | undefined {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType.slice(0, 1_000))?.[1]?.toLowerCase();
}

/** What a page says at its beginning, in a form that every charset shares. */
function charsetInPage(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 4_096))
    .toString("latin1")
    .replace(/<!--.*?(-->|$)/gs, "");
  const named =
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head) ??
    /<meta[\s/][^>]*charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head);
  const charset = named?.[1]?.toLowerCase();
  // What could be read so far cannot be in it.
  return charset?.startsWith("utf-16") ? "utf-8" : charset;
}
