import { setImmediate } from "node:timers/promises";
import { joinPages } from "../digest/canonical-text.ts";
import { findCharacterMaps, loadPdfjs, type PdfReader } from "./load-pdfjs.ts";
import { joinLines, type TextPiece } from "./pdf-lines.ts";
import type { TitledText } from "./read-document.ts";
import { tidyTitle } from "./tidy-title.ts";
import { UnusableDocument } from "./unusable-document.ts";

type LoadingTask = ReturnType<PdfReader["getDocument"]>;
type PdfDocument = Awaited<LoadingTask["promise"]>;
type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;

/** How a PDF is read. */
export interface PdfOptions {
  readonly signal?: AbortSignal | undefined;
  /** So many characters at most: a few bytes can unfold to any length, and no book is longer. @default 64 Mi */
  readonly mostCharacters?: number | undefined;
}

/** The text of a PDF, page by page; one that is encrypted or broken cannot be used. */
export async function canonicalizePdf(bytes: Uint8Array, options: PdfOptions = {}): Promise<TitledText> {
  const { signal } = options;
  requireEnd(bytes);
  const { getDocument } = await loadPdfjs();
  signal?.throwIfAborted();
  const cMapUrl = findCharacterMaps();
  const loading = getDocument({
    // The reader takes the bytes away from whoever gives them, and they are the caller's: so it gets a copy.
    data: new Uint8Array(bytes),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    verbosity: 0,
    ...(cMapUrl === undefined ? {} : { cMapUrl }),
  });
  const onAbort = () => void loading.destroy();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const document = await loading.promise;
    const pages = await readPages(document, options);
    const title = await titleOf(document);
    return { ...joinPages(pages), ...(title === undefined ? {} : { title }) };
  } catch (err) {
    signal?.throwIfAborted();
    throw toUnusable(err);
  } finally {
    signal?.removeEventListener("abort", onAbort);
    await loading.destroy();
  }
}

/** The reader mends what it can, so that of half a PDF it would give half the text, as if it were all. */
function requireEnd(bytes: Uint8Array): void {
  const { buffer, byteOffset, byteLength } = bytes;
  if (!Buffer.from(buffer, byteOffset, byteLength).includes("startxref"))
    throw new UnusableDocument("broken", "The PDF is broken: its end is missing");
}

async function readPages(
  document: PdfDocument,
  { signal, mostCharacters = 64 * 2 ** 20 }: PdfOptions,
): Promise<string[]> {
  const pages: string[] = [];
  let room = mostCharacters;
  for (let number = 1; number <= document.numPages; number++) {
    // The reader leaves no time to others by itself; among them is whoever would stop it.
    await setImmediate();
    signal?.throwIfAborted();
    const page = await document.getPage(number);
    const pieces = await readPieces(page, room);
    if (pieces === undefined)
      throw new UnusableDocument(
        "too_large",
        `Its text has more than ${mostCharacters.toLocaleString("en")} characters`,
      );
    const text = joinLines(pieces);
    room -= text.length;
    pages.push(text);
    page.cleanup();
  }
  return pages;
}

/** The pieces of text of a page; undefined where there is no room for them. */
async function readPieces(page: PdfPage, room: number): Promise<readonly TextPiece[] | undefined> {
  const reader = page.streamTextContent().getReader();
  const pieces: TextPiece[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return pieces;
    for (const item of (value as Awaited<ReturnType<PdfPage["getTextContent"]>>).items) {
      if (!("str" in item)) continue;
      pieces.push(item);
      size += item.str.length;
    }
    if (size <= room) continue;
    await reader.cancel(new Error("There is no room for it"));
    return undefined;
  }
}

/** A text can be read without knowing what it is called. */
async function titleOf(document: PdfDocument): Promise<string | undefined> {
  try {
    const { info } = await document.getMetadata();
    const { Title: title } = info as { readonly Title?: unknown };
    return typeof title === "string" ? tidyTitle(title) : undefined;
  } catch {
    return undefined;
  }
}

/** Nothing but the reader is called here, and it fails in as many ways as a PDF can be broken. */
function toUnusable(err: unknown): UnusableDocument {
  if (err instanceof UnusableDocument) return err;
  const isLocked = (err as Error | null)?.name === "PasswordException";
  return isLocked
    ? new UnusableDocument("encrypted", "The PDF can be opened with a password only", err)
    : new UnusableDocument("broken", "The PDF is broken", err);
}
