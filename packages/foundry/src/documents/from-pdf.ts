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

/** A few bytes of a PDF can unfold to any length; no book is longer than this. */
const mostUnits = 64 * 2 ** 20;

/** The text of a PDF, page by page; one that is encrypted or broken cannot be used. */
export async function canonicalizePdf(bytes: Uint8Array, signal?: AbortSignal): Promise<TitledText> {
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
    const pages = await readPages(document, signal);
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

async function readPages(document: PdfDocument, signal: AbortSignal | undefined): Promise<string[]> {
  const pages: string[] = [];
  let room = mostUnits;
  for (let number = 1; number <= document.numPages; number++) {
    // The reader leaves no time to others by itself; among them is whoever would stop it.
    await setImmediate();
    signal?.throwIfAborted();
    const page = await document.getPage(number);
    const text = await readPage(page, room);
    room -= text.length;
    pages.push(text);
    page.cleanup();
  }
  return pages;
}

async function readPage(page: PdfPage, room: number): Promise<string> {
  const reader = page.streamTextContent().getReader();
  const pieces: TextPiece[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joinLines(pieces);
    for (const item of (value as Awaited<ReturnType<PdfPage["getTextContent"]>>).items) {
      if (!("str" in item)) continue;
      pieces.push(item);
      size += item.str.length + 1;
    }
    if (size <= room) continue;
    await reader.cancel(new Error("too large"));
    throw new UnusableDocument(
      "too_large",
      `Its text has more than ${mostUnits.toLocaleString("en")} characters`,
    );
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
