import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../statistics.ts";

/** The measured languages, each with a query. */
export const languages = [
  { name: "English", code: "en", query: "how do the tides change in a harbour" },
  { name: "Russian", code: "ru", query: "как пчёлы собирают мёд" },
  { name: "Chinese", code: "zh", query: "冰川如何移动和融化" },
  { name: "Arabic", code: "ar", query: "كيف تتحرك الكثبان مع الرياح" },
] as const;

/** The code of a language. */
export type LanguageCode = (typeof languages)[number]["code"];

const folder = join("test", "fixtures", "ranking", "documents");
const clausesInSentence = 3;
const sentencesInParagraph = 6;

/**
 * Returns a deterministic text of at least the given number of UTF-8 bytes. The text consists of clauses of
 * real documents in random order, because a text that repeats itself would be ranked differently from a real
 * text.
 */
export function largeText(code: LanguageCode, bytes: number): string {
  const clauses = clausesOf(code);
  const random = createRandom(1);
  const space = code === "zh" ? "" : " ";
  const parts: string[] = [];
  for (let size = 0, sentence = 1; size < bytes; sentence++) {
    const chosen = Array.from(
      { length: clausesInSentence },
      () => clauses[Math.floor(random() * clauses.length)] ?? "",
    );
    const end = sentence % sentencesInParagraph === 0 ? "\n\n" : sentence % 2 === 0 ? "\n" : space;
    const part = `${chosen.join(code === "zh" ? "，" : ", ")}${code === "zh" ? "。" : "."}${end}`;
    parts.push(part);
    size += Buffer.byteLength(part);
  }
  // Converts the text to a flat string, as if it had been read from a file.
  return Buffer.from(parts.join("")).toString();
}

function clausesOf(code: LanguageCode): readonly string[] {
  const files = readdirSync(join(folder, code)).sort();
  const text = files.map((file) => readFileSync(join(folder, code, file), "utf8")).join("\n");
  return text.split(/[.,;:!?。，；：！？،؛؟\n]+\s*/u).filter((clause) => clause.length > 3);
}

/** Formats a text as Markdown with headings, items and a table. */
export function toMarkdown(text: string): string {
  return text
    .split("\n\n")
    .map((paragraph, at) => {
      if (at % 5 === 0) return `## ${paragraph.slice(0, 40)}\n\n${paragraph}`;
      return at % 7 === 0
        ? `- ${paragraph.replaceAll("\n", "\n- ")}\n\n| a | b |\n|---|---|\n| 1 | 2 |`
        : paragraph;
    })
    .join("\n\n");
}

/** Formats a text as HTML with paragraphs, links and hidden parts. */
export function toHtml(text: string): string {
  const body = text
    .split("\n\n")
    .map((paragraph, at) =>
      at % 10 === 0
        ? `<h2 id="s${at}">${at}</h2><script>const a${at} = "${at}";</script><p>${paragraph}</p>`
        : `<p class="text">${paragraph} <a href="/page/${at}">more &amp; more</a></p>`,
    );
  return `<!doctype html><html><head><title>A page</title></head><body>${body.join("\n")}</body></html>`;
}
