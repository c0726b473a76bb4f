import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createDigestPool } from "#built/foundry/research/documents/digest-pool.js";
import { writeObjects } from "../../packages/foundry/src/research/documents/testing/write-pdf.ts";
import { chainFrom, levels, readPdf, shown, toStream, writePage } from "./deep-pdfs.ts";

const pool = createDigestPool({ size: 1 });
afterAll(() => pool.close());

describe("a PDF that nests 100,000 levels deep and takes long to read", () => {
  it.each([
    ["references", { page: "/X 6 0 R", objects: chainFrom(6, (next) => (next ? `${next} 0 R` : "1")) }],
    [
      "names",
      {
        catalog: "/Names<</Dests 6 0 R>>",
        objects: chainFrom(6, (next) => (next ? `<</Kids[${next} 0 R]>>` : "<</Names[(a)[3 0 R/Fit]]>>")),
      },
    ],
    [
      "structure elements",
      {
        catalog: "/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R",
        objects: chainFrom(6, (next) => `<</Type/StructElem/S/P/K ${next ? `${next} 0 R` : "0"}>>`),
      },
    ],
  ])("gives its text: %s", async (_, parts) => {
    expect(await readPdf(pool, writePage(parts))).toEqual(["text", "Hello."]);
  });

  it("gives its text: nodes of the page tree", async () => {
    const [page, font, content] = [levels + 2, levels + 3, levels + 4];
    const bytes = writeObjects([
      "<</Type/Catalog/Pages 2 0 R>>",
      ...chainFrom(2, (next = page) => `<</Type/Pages/Count 1/Kids[${next} 0 R]>>`),
      `<</Type/Page/Parent ${page - 1} 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F ${font} 0 R>>>>/Contents ${content} 0 R>>`,
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      toStream(shown),
    ]);
    expect(await readPdf(pool, bytes)).toEqual(["text", "Hello."]);
  });

  it("gives its text: forms in forms", async () => {
    const form = "/Type/XObject/Subtype/Form/BBox[0 0 9 9]";
    const objects = chainFrom(6, (next) =>
      next === undefined
        ? toStream("BT ET", form)
        : toStream("/X Do", `${form}/Resources<</XObject<</X ${next} 0 R>>>>`),
    );
    const bytes = writePage({ resources: "/XObject<</X 6 0 R>>", content: `/X Do ${shown}`, objects });
    expect(await readPdf(pool, bytes)).toEqual(["text", "Hello."]);
  });

  it("ends at the deadline of a document: saved graphics states", async () => {
    const bytes = writePage({ content: `${"q ".repeat(levels)}${shown}` });
    const hasty = createDigestPool({ size: 1, timeoutMs: 5_000 });
    onTestFinished(() => hasty.close());
    expect(await readPdf(hasty, bytes)).toEqual(["too_slow", "Reading it takes too long"]);
  });
});
