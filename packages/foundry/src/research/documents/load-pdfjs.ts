import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type * as Pdfjs from "pdfjs-dist/legacy/build/pdf.mjs";
import { UnusableDocument } from "./unusable-document.ts";

/** The reader of PDFs. */
export type PdfReader = Pick<typeof Pdfjs, "getDocument">;

/** What the reader draws with; it makes one of them when it is loaded, and none for texts. */
const drawing = ["DOMMatrix", "ImageData", "Path2D"] as const;

const loadPackage = (): Promise<unknown> => import("pdfjs-dist/legacy/build/pdf.mjs");
let loaded: Promise<unknown> | undefined;

/** Loads the reader of PDFs, which is installed only where PDFs are read. */
export async function loadPdfjs(load: () => Promise<unknown> = loadPackage): Promise<PdfReader> {
  try {
    if (load !== loadPackage) return (await loadSilently(load)) as PdfReader;
    loaded ??= loadSilently(load);
    return (await loaded) as PdfReader;
  } catch (cause) {
    loaded = undefined;
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(String((cause as NodeJS.ErrnoException | null)?.code))) throw cause;
    const remedy = "npm install pdfjs-dist; with npx: npx -p foundry-mcp -p pdfjs-dist foundry-mcp";
    throw new UnusableDocument(
      "no_reader",
      `The package "pdfjs-dist" is not installed, which reads PDFs: ${remedy}`,
      cause,
    );
  }
}

/**
 * Without a package for drawing, which not every machine has, the reader warns on the console, and then fails because
 * it can draw nothing. Texts are not drawn, so it is given what looks like it while it loads, and its warnings about
 * that are not passed on.
 */
async function loadSilently(load: () => Promise<unknown>): Promise<unknown> {
  const missing = drawing.filter((name) => !(name in globalThis));
  for (const name of missing)
    Object.defineProperty(globalThis, name, { value: class {}, configurable: true, writable: true });
  const { warn } = console;
  const filtered = (...words: readonly unknown[]): void => {
    if (!/^Warning: Cannot (load "@napi-rs\/canvas"|polyfill|access the `require`)/.test(String(words[0])))
      warn.apply(console, [...words]);
  };
  console.warn = filtered;
  try {
    return await load();
  } finally {
    console.warn = warn;
    for (const name of missing) Reflect.deleteProperty(globalThis, name);
  }
}

/** Where the reader's tables of Chinese, Japanese and Korean characters lie; undefined where that is not known. */
export function findCharacterMaps(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    return join(dirname(require.resolve("pdfjs-dist/package.json")), "cmaps", "/");
  } catch {
    return undefined;
  }
}
