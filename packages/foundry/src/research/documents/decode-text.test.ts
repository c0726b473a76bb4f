import { describe, expect, test } from "vitest";
import { type DecodeOptions, decodeText } from "./decode-text.ts";
import { UnusableDocument } from "./unusable-document.ts";

const bytesOf = (...parts: readonly (string | Uint8Array | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Uint8Array.from(part))));
/** "Привет" in windows-1251. */
const russian = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2];

function failureOf(bytes: Uint8Array, options: DecodeOptions = {}) {
  try {
    return decodeText(bytes, options);
  } catch (err) {
    if (!(err instanceof UnusableDocument)) throw err;
    return [err.reason, err.message];
  }
}

describe("decodeText", () => {
  test.each<[string, Uint8Array, DecodeOptions, string]>([
    ["UTF-8, where nothing is said", bytesOf("Grüße 你好 😀"), {}, "Grüße 你好 😀"],
    [
      "UTF-8, by its mark",
      bytesOf([0xef, 0xbb, 0xbf], "Grüße"),
      { contentType: "text/plain; charset=latin1" },
      "Grüße",
    ],
    ["UTF-16, by its mark", bytesOf([0xff, 0xfe], Buffer.from("Grüße 😀", "utf16le")), {}, "Grüße 😀"],
    ["UTF-16, the other way", bytesOf([0xfe, 0xff], Buffer.from("Grüße", "utf16le").swap16()), {}, "Grüße"],
    [
      "UTF-16, by its server",
      Buffer.from("Grüße", "utf16le"),
      { contentType: "text/plain; charset=utf-16le" },
      "Grüße",
    ],
    [
      "what its server says",
      bytesOf(russian),
      { contentType: 'text/plain; Charset="Windows-1251"' },
      "Привет",
    ],
    [
      "the charset of Western Windows",
      bytesOf([0x80, 0x93, 0x61, 0xe9, 0x94]),
      { contentType: "text/plain;charset=iso-8859-1" },
      "€“aé”",
    ],
    [
      "Japanese that shifts",
      bytesOf([0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42]),
      { contentType: "text/plain;charset=iso-2022-jp" },
      "あ",
    ],
    [
      "what the page says",
      bytesOf("<meta charset=windows-1251><p>", russian),
      { isHtml: true },
      "<meta charset=windows-1251><p>Привет",
    ],
    [
      "what the page says the old way",
      bytesOf('<META http-equiv="Content-Type" content="text/html; charset=windows-1251">', russian),
      { isHtml: true },
      '<META http-equiv="Content-Type" content="text/html; charset=windows-1251">Привет',
    ],
    [
      "what the page says as XML",
      bytesOf('<?xml version="1.0" encoding="windows-1251"?>', russian),
      { isHtml: true },
      '<?xml version="1.0" encoding="windows-1251"?>Привет',
    ],
    [
      "what the server says rather than the page",
      bytesOf("<meta charset=windows-1251>ü"),
      { isHtml: true, contentType: "text/html; charset=utf-8" },
      "<meta charset=windows-1251>ü",
    ],
    [
      "not what stands in a comment",
      bytesOf("<!-- <meta charset=windows-1251> -->ü"),
      { isHtml: true },
      "<!-- <meta charset=windows-1251> -->ü",
    ],
    [
      "a page that cannot be what it says",
      bytesOf("<meta charset=utf-16>ü"),
      { isHtml: true },
      "<meta charset=utf-16>ü",
    ],
    [
      "not what a text says of pages",
      bytesOf("<meta charset=windows-1251>ü"),
      {},
      "<meta charset=windows-1251>ü",
    ],
    [
      "what is known, whatever it says",
      bytesOf("<meta charset=windows-1251>ü"),
      { isHtml: true, charset: "utf-8", contentType: "text/html; charset=latin1" },
      "<meta charset=windows-1251>ü",
    ],
  ])("reads %s", (_, bytes, options, text) => {
    expect(decodeText(bytes, options)).toBe(text);
  });

  test("reports invalid and unknown charsets", () => {
    expect(failureOf(bytesOf(russian))).toEqual([
      "charset",
      "It is not in UTF-8, and does not say what else it is in",
    ]);
    expect(failureOf(bytesOf(russian), { contentType: "text/plain; charset=utf-8" })).toEqual([
      "charset",
      'It says that it is in "utf-8", but it is not',
    ]);
    expect(failureOf(bytesOf("x"), { contentType: `text/plain; charset=${"klingon".repeat(50)}` })).toEqual([
      "charset",
      `It says that it is in "${"klingon".repeat(50).slice(0, 40)}", which is not known`,
    ]);
  });

  test.each<[string, Uint8Array]>([
    ["a picture", bytesOf([0x89], "PNG\r\n", [0x1a, 0x0a, 0, 0, 0, 0x0d], "IHDR")],
    ["UTF-16 without a mark", Buffer.from("text", "utf16le")],
    ["many characters for machines", bytesOf("ab", [1, 2, 3, 4])],
  ])("refuses binary data: %s", (_, bytes) => {
    expect(failureOf(bytes)).toEqual(["binary", "It is binary, not text"]);
  });
});
