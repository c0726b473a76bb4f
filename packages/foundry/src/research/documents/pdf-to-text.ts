import { setImmediate } from "node:timers/promises";
import { joinPages } from "../digest/canonical-text.ts";
import { findCMaps, loadPdfjs, type PdfReader } from "./load-pdfjs.ts";
import { joinLines, type PositionedText } from "./pdf-lines.ts";
import { placeOutline, readPdfOutline } from "./pdf-outline.ts";
import { normalizeTitle, type TitledText } from "./titles.ts";
import { UnusableDocument } from "./unusable-document.ts";

type LoadingTask = ReturnType<PdfReader["getDocument"]>;
type PdfDocument = Awaited<LoadingTask["promise"]>;
type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;

/** The limits of a PDF. */
export interface PdfOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * The maximum length of the text. The limit is needed, because a few compressed bytes can expand to any length.
   * @default 64 Mi
   */
  readonly maxCharacters?: number | undefined;
}

/** Extracts the text of a PDF page by page. Throws an UnusableDocument for an encrypted or damaged PDF. */
export async function pdfToText(bytes: Uint8Array, options: PdfOptions = {}): Promise<TitledText> {
  const { signal } = options;
  requireTrailer(bytes);
  const { getDocument } = await loadPdfjs();
  signal?.throwIfAborted();
  const cMapUrl = findCMaps();
  const loading = getDocument({
    // pdf.js detaches the buffer that it receives, so it receives a copy.
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
    const joined = joinPages(pages);
    const headings = placeOutline(await readPdfOutline(document), joined);
    return {
      ...joined,
      // A PDF without an outline declares no headings, so they are later recognized in the text.
      ...(headings.length === 0 ? {} : { outline: { headings, chrome: [] } }),
      ...(title === undefined ? {} : { title }),
    };
  } catch (err) {
    signal?.throwIfAborted();
    throw fromPdfError(err);
  } finally {
    signal?.removeEventListener("abort", onAbort);
    await loading.destroy();
  }
}

/**
 * Rejects a PDF without a trailer. pdf.js repairs damaged files, and would return half of a truncated PDF as if it
 * were complete.
 */
function requireTrailer(bytes: Uint8Array): void {
  const { buffer, byteOffset, byteLength } = bytes;
  if (!Buffer.from(buffer, byteOffset, byteLength).includes("startxref"))
    throw new UnusableDocument("broken", "The PDF is broken: its end is missing");
}

async function readPages(
  document: PdfDocument,
  { signal, maxCharacters = 64 * 2 ** 20 }: PdfOptions,
): Promise<string[]> {
  const pages: string[] = [];
  let room = maxCharacters;
  for (let number = 1; number <= document.numPages; number++) {
    // pdf.js does not yield to the event loop, which must run so that an abort is noticed.
    await setImmediate();
    signal?.throwIfAborted();
    const page = await document.getPage(number);
    const items = await readItems(page, room);
    if (items === undefined)
      throw new UnusableDocument(
        "too_large",
        `Its text has more than ${maxCharacters.toLocaleString("en")} characters`,
      );
    const text = joinLines(items);
    room -= text.length;
    pages.push(text);
    page.cleanup();
  }
  return pages;
}

/** Returns the text items of a page, or undefined if they exceed the remaining room. */
async function readItems(page: PdfPage, room: number): Promise<readonly PositionedText[] | undefined> {
  const reader = page.streamTextContent().getReader();
  const items: PositionedText[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return items;
    for (const item of (value as Awaited<ReturnType<PdfPage["getTextContent"]>>).items) {
      if (!("str" in item)) continue;
      items.push(item);
      size += item.str.length;
    }
    if (size <= room) continue;
    await reader.cancel(new Error("There is no room for it"));
    return undefined;
  }
}

/** Returns the title, or undefined if the metadata cannot be read. The text is usable without a title. */
async function titleOf(document: PdfDocument): Promise<string | undefined> {
  try {
    const { info } = await document.getMetadata();
    const { Title: title } = info as { readonly Title?: unknown };
    return typeof title === "string" ? normalizeTitle(title) : undefined;
  } catch {
    return undefined;
  }
}

/** Converts an error of pdf.js. Any such error means that the PDF is damaged. */
function fromPdfError(err: unknown): UnusableDocument {
  if (err instanceof UnusableDocument) return err;
  const isEncrypted = (err as Error | null)?.name === "PasswordException";
  return isEncrypted
    ? new UnusableDocument("encrypted", "The PDF can be opened with a password only", err)
    : new UnusableDocument("broken", "The PDF is broken", err);
}
