import { describe, expect, test } from "vitest";
import { documentTypeOf } from "./document-types.ts";
import { type RawDocument, readDocument } from "./read-document.ts";
import { writePdf } from "./testing/write-pdf.ts";
import { UnusableDocument } from "./unusable-document.ts";

const found = (text: string, own: Partial<RawDocument> = {}): RawDocument => ({
  bytes: Buffer.from(text),
  name: "text",
  ...own,
});

async function failureOf(document: RawDocument) {
  const err = await readDocument(document).catch((thrown: unknown) => thrown);
  if (!(err instanceof UnusableDocument)) throw err;
  return [err.reason, err.message];
}

describe("readDocument", () => {
  test("reads plain text unchanged", async () => {
    const text = "1 < 2 and 3 > 2, a &lt;b&gt; c, <p>x</p>";
    expect(await readDocument(found(text, { name: "a.txt" }))).toEqual({ type: "text", text, blocks: [0] });
    expect((await readDocument(found(text, { name: "a.html" }))).text).toBe("1 < 2 and 3 > 2, a <b> c, x");
  });

  test("reads the title of Markdown, and only of Markdown", async () => {
    const text = "# My  title #\n\nText";
    const read = { type: "text", text: "# My title # Text", blocks: [0, 13] };
    expect(await readDocument(found(text, { name: "a.md" }))).toEqual({ ...read, title: "My title" });
    expect(await readDocument(found(text, { name: "B.MARKDOWN" }))).toEqual({ ...read, title: "My title" });
    expect(await readDocument(found(text, { name: "a.txt" }))).toEqual(read);
  });

  test("reads the titles of HTML and PDF", async () => {
    expect(await readDocument(found("<title>My  page</title><p>Text", { contentType: "text/html" }))).toEqual(
      {
        type: "html",
        outline: { headings: [], chrome: [] },
        text: "Text",
        blocks: [0],
        title: "My page",
      },
    );
    const bytes = writePdf({ pages: [["Text"]], title: " My  paper " });
    expect(await readDocument(found("", { bytes }))).toEqual({
      type: "pdf",
      text: "Text",
      blocks: [0],
      pages: [0],
      title: "My paper",
    });
  });

  test("reads HTML in the charset that it declares", async () => {
    const bytes = Buffer.concat([
      Buffer.from("<!doctype html><meta charset=windows-1251><title>"),
      Buffer.from([0xcf, 0xf0]),
      Buffer.from("</title><p>"),
      Buffer.from([0xec, 0xe8, 0xf0]),
    ]);
    expect(await readDocument(found("", { bytes }))).toEqual({
      type: "html",
      outline: { headings: [], chrome: [] },
      title: "Пр",
      text: "мир",
      blocks: [0],
    });
  });

  test("reports a document without text", async () => {
    expect(await failureOf(found(""))).toEqual(["empty", "It is empty"]);
    expect(await failureOf(found(" \n\ufeff".slice(0, 2)))).toEqual(["empty", "It holds no text"]);
    expect(await failureOf(found("<html><script>x</script>"))).toEqual(["empty", "It holds no text"]);
    expect(await failureOf(found("", { bytes: writePdf({ pages: [[], []] }) }))).toEqual([
      "empty",
      "The PDF holds no text: are its pages pictures (scanned)?",
    ]);
    expect(await failureOf(found("a\0b"))).toEqual(["binary", "It is binary, not text"]);
  });

  test("stops when aborted", async () => {
    const reason = new Error("enough");
    await expect(readDocument(found("x"), AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("does not detach the bytes of the caller", async () => {
    // The bytes are the only content of their buffer, so that the buffer could be detached.
    const bytes = new Uint8Array(writePdf({ pages: [["Text"]] }));
    const before = Buffer.from(bytes);
    await readDocument(found("", { bytes }));
    expect(before.equals(bytes)).toBe(true);
  });
});

describe("documentTypeOf", () => {
  test.each<[string, Partial<RawDocument>, string]>([
    ["%PDF-1.7", {}, "pdf"],
    ["%PDF-1.7", { name: "a.txt", contentType: "text/html" }, "pdf"],
    ["junk\r\n%PDF-1.7", {}, "pdf"],
    ["junk", { name: "a.PDF" }, "pdf"],
    ["junk", { contentType: "application/pdf" }, "pdf"],
    ["A file begins with %PDF-1.7", {}, "text"],
    ["See:\n%PDF-1.7", { name: "a.md" }, "text"],
    ["%PDF-1.7", { charset: "utf-8" }, "text"],
    ["a\n%PDF-1.7", { charset: "utf-8" }, "text"],
    ["x", { contentType: "TEXT/HTML; charset=x" }, "html"],
    ["x", { contentType: "application/xhtml+xml" }, "html"],
    ["x", { name: "/a/b.htm" }, "html"],
    ["x", { name: "b.xhtml", contentType: "application/octet-stream" }, "html"],
    ["<html>", { name: "a.html", contentType: "text/plain" }, "text"],
    ["<html>", { name: "a.txt" }, "text"],
    ["<html>", { contentType: "text/markdown" }, "text"],
    [" \n<!DOCTYPE html><p>", {}, "html"],
    ["\ufeff<html lang=de>", {}, "html"],
    ["<?xml version='1.0'?>\n<!-- a --> <!-- b --><HTML>", {}, "html"],
    ["<html-ish>", {}, "text"],
    ["<p>x</p>", {}, "text"],
    ["x", {}, "text"],
    ["x", { name: "constructor" }, "text"],
    ["x", { name: "a.constructor" }, "text"],
    [`${"<!---->".repeat(140)}X`, {}, "text"],
  ])("%j, %j is %s", (text, own, type) => {
    expect(documentTypeOf(found(text, own))).toBe(type);
  });

  test("detects HTML in UTF-16", () => {
    const bytes = Buffer.from("\ufeff<html><p>x", "utf16le");
    expect(documentTypeOf({ bytes, name: "x" })).toBe("html");
  });
});
