import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type * as Pdfjs from "pdfjs-dist/legacy/build/pdf.mjs";
import { UnusableDocument } from "./unusable-document.ts";

/** The part of pdf.js that is used here. */
export type PdfReader = Pick<typeof Pdfjs, "getDocument">;

/** Canvas globals that pdf.js needs while it is loaded, but not for text extraction. */
const canvasGlobals = ["DOMMatrix", "ImageData", "Path2D"] as const;

const loadPackage = (): Promise<unknown> => import("pdfjs-dist/legacy/build/pdf.mjs");
let loaded: Promise<unknown> | undefined;

/** Loads pdf.js, an optional dependency. Throws an UnusableDocument if pdf.js is not installed. */
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
 * Loads pdf.js without warnings. Without a canvas package, pdf.js prints warnings and fails to load. Text extraction
 * needs no canvas, so the missing globals are stubbed during loading, and these warnings are suppressed.
 */
async function loadSilently(load: () => Promise<unknown>): Promise<unknown> {
  const missing = canvasGlobals.filter((name) => !(name in globalThis));
  for (const name of missing)
    Object.defineProperty(globalThis, name, { value: class {}, configurable: true, writable: true });
  const { warn } = console;
  console.warn = (...args: readonly unknown[]): void => {
    if (!/^Warning: Cannot (load "@napi-rs\/canvas"|polyfill|access the `require`)/.test(String(args[0])))
      warn.apply(console, [...args]);
  };
  try {
    return await load();
  } finally {
    console.warn = warn;
    for (const name of missing) Reflect.deleteProperty(globalThis, name);
  }
}

/** Returns the folder of the CMaps for Chinese, Japanese and Korean fonts, or undefined if the folder is unknown. */
export function findCMaps(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    return join(dirname(require.resolve("pdfjs-dist/package.json")), "cmaps", "/");
  } catch {
    return undefined;
  }
}
