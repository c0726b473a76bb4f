import { afterAll, describe, expect, it } from "vitest";
import { createDigestPool } from "#built/foundry/research/documents/digest-pool.js";
import { chainFrom, dictionaries, levels, lists, readPdf, shown, writePage } from "./deep-pdfs.ts";

const pool = createDigestPool({ size: 1 });
afterAll(() => pool.close());

const broken = ["broken", "The PDF is broken"];
const empty = ["empty", "The PDF holds no text: are its pages pictures (scanned)?"];
const hello = ["text", "Hello."];

// pdf.js parses lists and dictionaries recursively, and reports an exhausted stack as a broken PDF.
describe("a PDF that nests 100,000 levels deep", () => {
  it.each([
    ["lists in a page", { page: `/X${lists}` }, broken],
    ["lists that do not end", { page: `/X${"[".repeat(levels)}` }, broken],
    ["dictionaries in a page", { page: `/X${dictionaries}` }, broken],
    ["lists in the catalog", { catalog: `/X${lists}` }, broken],
    ["dictionaries in the trailer", { trailer: `/Info ${dictionaries}` }, broken],
    ["lists as the title", { trailer: `/Info<</Title${lists}>>` }, broken],
    ["lists in a content stream", { content: `BT /F 12 Tf ${lists} TJ ET ${shown}` }, empty],
    ["dictionaries in a content stream", { content: `/P ${dictionaries} BDC ${shown} EMC` }, empty],
    ["marked content", { content: `${"/P BMC ".repeat(levels)}${shown}` }, hello],
    [
      "outlines",
      {
        catalog: "/Outlines 6 0 R",
        objects: chainFrom(6, (next) => `<</Title(a)${next ? `/First ${next} 0 R/Last ${next} 0 R` : ""}>>`),
      },
      hello,
    ],
  ])("gives its text or a typed failure: %s", async (_, parts, wanted) => {
    expect(await readPdf(pool, writePage(parts))).toEqual(wanted);
  });
});
