import { afterEach, describe, expect, test, vi } from "vitest";
import { pdfToText } from "./pdf-to-text.ts";
import { writeObjects, writePdf } from "./testing/write-pdf.ts";
import { UnusableDocument } from "./unusable-document.ts";

const pages = [["Hello world.", "Second line."], [], ["Привет мир.", "你好，世界。", "Ångström 😀"]];
const wanted = {
  text: "Hello world. Second line.\n\nПривет мир. 你好，世界。 Ångström 😀",
  blocks: [0, 27],
  pages: [0, 27, 27],
};

async function failureOf(bytes: Uint8Array) {
  const err = await pdfToText(bytes).catch((thrown: unknown) => thrown);
  if (!(err instanceof Error)) return ["text", (err as { readonly text: string }).text];
  if (!(err instanceof UnusableDocument)) throw err;
  return [err.reason, err.message];
}

afterEach(() => vi.restoreAllMocks());

describe("pdfToText", () => {
  test("reads pages in any script", async () => {
    expect(await pdfToText(writePdf({ pages, title: " On\n 你好 " }))).toEqual({
      ...wanted,
      title: "On 你好",
    });
    expect(await pdfToText(writePdf({ pages, title: "  " }))).toEqual(wanted);
  });

  test("reads right-to-left text in reading order", async () => {
    // These are the characters in the order of the page, from left to right.
    const shown = (text: string) => [...text].toReversed().join("");
    const lines = [
      shown("مرحبا بالعالم الكبير"),
      `${shown("في عام")} 2024 ${shown("قال")}`,
      `${shown("من")} Big Co ${shown("شركة")}`,
    ];
    expect((await pdfToText(writePdf({ pages: [lines] }))).text).toBe(
      "مرحبا بالعالم الكبير قال 2024 في عام شركة Big Co من",
    );
  });

  test("reads Chinese with the CMaps of pdf.js where a PDF embeds none", async () => {
    const bytes = writeObjects([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Count 1/Kids[3 0 R]>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 4 0 R>>>>/Contents 6 0 R>>",
      "<</Type/Font/Subtype/Type0/BaseFont/Song/Encoding/UniGB-UCS2-H/DescendantFonts[5 0 R]>>",
      "<</Type/Font/Subtype/CIDFontType0/BaseFont/Song/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 4>>/FontDescriptor 7 0 R>>",
      "<</Length 38>>\nstream\nBT /F 12 Tf 50 750 Td <4F60597D> Tj ET \nendstream",
      "<</Type/FontDescriptor/FontName/Song/Flags 4/FontBBox[0 0 600 800]/ItalicAngle 0/Ascent 800/Descent -200/StemV 80>>",
    ]);
    expect((await pdfToText(bytes)).text).toBe("你好");
  });

  test("reads a PDF with an owner password but no user password", async () => {
    expect(await pdfToText(writePdf({ pages, title: "T", password: "" }))).toEqual({
      ...wanted,
      title: "T",
    });
  });

  test("reports an encrypted PDF", async () => {
    expect(await failureOf(writePdf({ pages, password: "secret" }))).toEqual([
      "encrypted",
      "The PDF can be opened with a password only",
    ]);
  });

  test("reports a truncated PDF", async () => {
    const whole = writePdf({ pages });
    const end = Buffer.from(whole).lastIndexOf("startxref");
    for (let length = 10; length < end; length += 97)
      expect(await failureOf(whole.subarray(0, length)), `${length} bytes`).toEqual([
        "broken",
        "The PDF is broken: its end is missing",
      ]);
  });

  test.each([
    ["nothing in it", "%PDF-1.7\nstartxref\n0\n%%EOF"],
    ["garbage in it", `%PDF-1.7\n${"\xff\x00obj<<>>stream".repeat(1_000)}startxref\n9\n%%EOF`],
  ])("reports a broken PDF: %s", async (_, text) => {
    expect(await failureOf(Buffer.from(text, "latin1"))).toEqual(["broken", "The PDF is broken"]);
  });

  test.each([
    ["pages that go round in a circle", "/Count 9/Kids[2 0 R]", ["broken", "The PDF is broken"]],
    ["fewer pages than it says", "/Count 2000000000/Kids[]", ["text", ""]],
  ])("terminates: %s", async (_, kids, result) => {
    const bytes = writeObjects(["<</Type/Catalog/Pages 2 0 R>>", `<</Type/Pages${kids}>>`]);
    expect(await failureOf(bytes)).toEqual(result);
  });

  test("throws only an UnusableDocument for a mutated PDF", async () => {
    const whole = Buffer.from(writePdf({ pages }));
    for (let at = 20; at < whole.length; at += 211) {
      const bytes = Buffer.from(whole);
      bytes.fill(0x41, at, at + 7);
      const result = await pdfToText(bytes).catch((err: unknown) => err);
      if (result instanceof Error) expect(result, `at ${at}`).toBeInstanceOf(UnusableDocument);
    }
  });

  test("refuses a text beyond the maximum", async () => {
    const bytes = writePdf({
      pages: Array.from({ length: 20 }, () => Array.from({ length: 50 }, () => "0123456789")),
    });
    expect((await pdfToText(bytes, { maxCharacters: 20_000 })).text.length).toBe(20 * 549 + 19 * 2);
    const err = await pdfToText(bytes, { maxCharacters: 1_000 }).catch((thrown: unknown) => thrown);
    expect(err).toMatchObject({ reason: "too_large", message: "Its text has more than 1,000 characters" });
  });

  test("rejects with the reason of the signal when aborted", async () => {
    const reason = new Error("enough");
    const bytes = writePdf({ pages: Array.from({ length: 200 }, () => ["A line."]) });
    await expect(pdfToText(bytes, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const reading = pdfToText(bytes, { signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await expect(reading).rejects.toBe(reason);
  });

  test("reads several PDFs concurrently", async () => {
    const texts = Array.from({ length: 8 }, (_, at) => `Text ${at}.`);
    const read = await Promise.all(texts.map((text) => pdfToText(writePdf({ pages: [[text]] }))));
    expect(read.map(({ text }) => text)).toEqual(texts);
  });

  test("prints nothing, evaluates no code, and opens no connection", async () => {
    const spies = [
      ...(["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name)),
      vi.spyOn(process.stdout, "write"),
      vi.spyOn(process.stderr, "write"),
      vi.spyOn(globalThis, "fetch"),
    ];
    await pdfToText(writePdf({ pages, title: "T" }));
    await failureOf(Buffer.from("%PDF-1.7\nstartxref"));
    await failureOf(writePdf({ pages, password: "secret" }));
    expect(spies.flatMap((spy) => spy.mock.calls)).toEqual([]);
  });
});
