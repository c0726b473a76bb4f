import { expect, it } from "vitest";
import { htmlToText } from "./html-to-text.ts";

it("reads headings, terms and chrome of a page", async () => {
  const { text, outline } = await htmlToText(
    "<nav><a>Home</a></nav><h1>Log</h1><p>It logs.</p><dl><dt>-n<dd>Limits.</dl><p>After.</p><div class='sidebar'>Press Esc</div>",
  );
  expect(text).toBe("Home Log It logs. -n Limits. After. Press Esc");
  expect(outline?.headings.map(({ start, end, level }) => [text.slice(start, end), level])).toEqual([
    ["Log", 1],
    ["-n", 7],
    ["", 7],
  ]);
  expect(outline?.chrome.map(({ start, end }) => text.slice(start, end).trim())).toEqual([
    "Home",
    "Press Esc",
  ]);
});
