import { UnusableDocument } from "./unusable-document.ts";

/** The known facts about the charset of a text. */
export interface DecodeOptions {
  /** The known charset, which overrides every declaration. */
  readonly charset?: string | undefined;
  /** The Content-Type header, such as `text/plain; charset=utf-8`. */
  readonly contentType?: string | undefined;
  /** True for HTML, which may declare its charset. */
  readonly isHtml?: boolean | undefined;
}

/**
 * Decodes a text by the charset of its byte order mark, its Content-Type or the page's declaration. A text without
 * any of these is decoded as UTF-8. Invalid bytes are an error, because a guess would change the words of the text.
 */
export function decodeText(bytes: Uint8Array, options: DecodeOptions = {}): string {
  const charset = charsetOf(bytes, options);
  // UTF-16 contains many NULs. Without a declaration, it cannot be distinguished from binary data.
  if (!charset?.startsWith("utf-16") && isBinary(bytes))
    throw new UnusableDocument("binary", "It is binary, not text");
  const decoder = decoderOf(charset ?? "utf-8");
  try {
    // In a single call, Node decodes windows-1252 as ISO 8859-1 and loses € and typographic quotes. In streaming mode,
    // Node decodes it correctly.
    return decoder.encoding === "windows-1252"
      ? decoder.decode(bytes, { stream: true }) + decoder.decode()
      : decoder.decode(bytes);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException | null)?.code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw cause;
    const why =
      charset === undefined
        ? "It is not in UTF-8, and does not say what else it is in"
        : `It says that it is in "${charset.slice(0, 40)}", but it is not`;
    throw new UnusableDocument("charset", why, cause);
  }
}

function charsetOf(bytes: Uint8Array, { charset, contentType = "", isHtml }: DecodeOptions) {
  return (
    charset ??
    charsetOfBom(bytes) ??
    charsetOfContentType(contentType) ??
    (isHtml ? charsetOfPage(bytes) : undefined)
  );
}

function decoderOf(charset: string) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch (cause) {
    const shown = charset.slice(0, 40);
    throw new UnusableDocument("charset", `It says that it is in "${shown}", which is not known`, cause);
  }
}

function charsetOfBom(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  // The byte order mark of UTF-32, which is not supported, begins with the byte order mark of UTF-16.
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return bytes[2] === 0 && bytes[3] === 0 ? "utf-32le" : "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** Returns true for data with a NUL byte or many control characters. */
function isBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 8_192);
  let controls = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    // ISO-2022 texts, Japanese and Korean, switch charsets with 0x0e, 0x0f and 0x1b.
    if (byte < 0x07 || (byte > 0x0f && byte < 0x1b)) controls++;
  }
  return controls > head.length / 20;
}

function charsetOfContentType(contentType: string): string | undefined {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType.slice(0, 1_000))?.[1]?.toLowerCase();
}

/** Returns the charset that a page declares in its first bytes, read as ASCII. */
function charsetOfPage(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 4_096))
    .toString("latin1")
    .replace(/<!--.*?(-->|$)/gs, "");
  const named =
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head) ??
    /<meta[\s/][^>]*charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head);
  const charset = named?.[1]?.toLowerCase();
  // The declaration was readable as ASCII, so the page is not UTF-16, whatever it declares.
  return charset?.startsWith("utf-16") ? "utf-8" : charset;
}
