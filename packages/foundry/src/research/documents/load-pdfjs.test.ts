import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCMaps, loadPdfjs } from "./load-pdfjs.ts";
import { writePdf } from "./testing/write-pdf.ts";
import { UnusableDocument } from "./unusable-document.ts";

test("loads the package", async () => {
  const reader = { getDocument: () => {} };
  expect(await loadPdfjs(async () => reader)).toBe(reader);
  const [one, two] = await Promise.all([loadPdfjs(), loadPdfjs()]);
  expect(one.getDocument).toBeTypeOf("function");
  expect(two).toBe(one);
});

test.each(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"])(
  "explains how to install it where it is missing (%s)",
  async (code) => {
    const load = async () => {
      throw Object.assign(new Error("Cannot find package 'pdfjs-dist' imported from /home/me/app.js"), {
        code,
      });
    };
    const thrown = await loadPdfjs(load).catch((err: unknown) => err);
    expect(thrown).toBeInstanceOf(UnusableDocument);
    expect(thrown).toMatchObject({
      reason: "no_reader",
      message:
        'The package "pdfjs-dist" is not installed, which reads PDFs: npm install pdfjs-dist; with npx: npx -p foundry-mcp -p pdfjs-dist foundry-mcp',
    });
  },
);

test("rethrows any other error", async () => {
  const broken = new SyntaxError("Unexpected token");
  const load = () => Promise.reject(broken);
  await expect(loadPdfjs(load)).rejects.toBe(broken);
});

test("restores the globals and the console", async () => {
  const { warn: before } = console;
  const names = Object.getOwnPropertyNames(globalThis).toSorted();
  const seen: unknown[] = [];
  await loadPdfjs(async () => {
    seen.push(typeof (globalThis as { DOMMatrix?: unknown }).DOMMatrix);
    return {};
  });
  expect(seen).toEqual(["function"]);
  const { warn: after } = console;
  expect(after).toBe(before);
  expect(Object.getOwnPropertyNames(globalThis).toSorted()).toEqual(names);
});

test("finds the CMaps", () => {
  expect(findCMaps()).toMatch(/pdfjs-dist[/\\]cmaps[/\\]$/);
});

describe("a bundled program", () => {
  let folder: string;
  const run = promisify(execFile);
  const source = fileURLToPath(new URL("./pdf-to-text.ts", import.meta.url));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "pdf-reader-"));
    await build({
      stdin: {
        contents: `
          import { readFileSync } from "node:fs";
          import { pdfToText } from ${JSON.stringify(source)};
          const told = await pdfToText(readFileSync("test.pdf")).catch((err) => ({ reason: err.reason }));
          process.stdout.write(JSON.stringify(told));`,
        resolveDir: dirname(source),
      },
      outfile: join(folder, "read.mjs"),
      bundle: true,
      format: "esm",
      platform: "node",
      external: ["pdfjs-dist"],
    });
    await writeFile(join(folder, "test.pdf"), writePdf({ pages: [["Hello."], ["你好。"]] }));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const read = () => run(process.execPath, ["read.mjs"], { cwd: folder, timeout: 25_000 });

  test("reports that pdfjs-dist is not installed", async () => {
    expect(await read()).toEqual({ stdout: '{"reason":"no_reader"}', stderr: "" });
  });

  test("reads PDFs without a canvas package, and without warnings", async () => {
    const installed = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
    const copy = join(folder, "node_modules", "pdfjs-dist");
    for (const path of ["package.json", "legacy/build/pdf.mjs", "legacy/build/pdf.worker.mjs"])
      await cp(join(installed, path), join(copy, path));
    expect(await read()).toEqual({
      stdout: JSON.stringify({ text: "Hello.\n\n你好。", blocks: [0, 8], pages: [0, 8] }),
      stderr: "",
    });
  });
});
