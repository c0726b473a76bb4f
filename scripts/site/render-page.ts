import { Marked, type Tokens } from "marked";
import type { Page, SiteLink } from "./pages.ts";

/** A part of a page that the search finds: a heading, and the text below it. */
export interface Section {
  /** The id of the heading; empty for the text before the first heading. */
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

/** A page as HTML. */
export interface RenderedPage {
  readonly page: Page;
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
  readonly links: readonly SiteLink[];
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => escapes[char] ?? char);
}

/** Returns the id of a heading, which GitHub uses too. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/** Renders a page. */
export function renderPage(
  page: Page,
  toLink: (href: string) => SiteLink,
  toPicture: (href: string) => SiteLink,
): RenderedPage {
  const sections: { anchor: string; heading: string; text: string }[] = [
    { anchor: "", heading: "", text: "" },
  ];
  const links: SiteLink[] = [];
  const anchors = new Map<string, number>();
  const addText = (text: string) => {
    const last = sections.at(-1);
    if (last !== undefined) last.text += ` ${text}`;
  };
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const heading = toPlain(tokens);
        const plain = toAnchor(heading);
        const count = anchors.get(plain) ?? 0;
        anchors.set(plain, count + 1);
        const anchor = count === 0 ? plain : `${plain}-${count}`;
        sections.push({ anchor, heading, text: "" });
        return `<h${depth} id="${escapeHtml(anchor)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const link = toLink(href);
        links.push(link);
        const text = this.parser.parseInline(tokens);
        return link.href === undefined ? text : `<a href="${escapeHtml(link.href)}">${text}</a>`;
      },
      image({ href, text }: Tokens.Image): string {
        const picture = toPicture(href);
        links.push(picture);
        return `<img src="${escapeHtml(picture.href ?? "")}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      code({ text, lang = "" }: Tokens.Code): string {
        addText(text);
        const [language = "", ...info] = lang.split(" ");
        const label = info.join(" ");
        const name = label === "" || label === "terminal" || label === "call" ? "" : label;
        const caption = name === "" ? "" : `<figcaption>${escapeHtml(name)}</figcaption>`;
        const kind = language === "" ? "text" : language;
        return `<figure class="code">${caption}<pre tabindex="0" data-language="${escapeHtml(kind)}"><code>${escapeHtml(text)}</code></pre></figure>\n`;
      },
      table(token: Tokens.Table): string {
        const cells = (row: readonly Tokens.TableCell[], tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
        const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        // A table that is wider than the page scrolls within its own box, which the keyboard can reach.
        return `<div class="table" tabindex="0"><table><thead><tr>${cells(token.header, 'th scope="col"').replaceAll('</th scope="col">', "</th>")}</tr></thead><tbody>\n${rows}\n</tbody></table></div>\n`;
      },
      // Markdown of the repository contains comments, but no other HTML.
      html({ text }: Tokens.HTML | Tokens.Tag): string {
        return /^\s*<!--.*-->\s*$/s.test(text) ? "" : escapeHtml(text);
      },
      text(token: Tokens.Text | Tokens.Escape): string {
        if ("tokens" in token && token.tokens !== undefined) return this.parser.parseInline(token.tokens);
        const text = decode(token.text);
        addText(text);
        return escapeHtml(text);
      },
      codespan({ text }: Tokens.Codespan): string {
        addText(text);
        return `<code>${escapeHtml(text)}</code>`;
      },
    },
  });
  const html = marked.parse(page.markdown, { async: false });
  const title = sections.find(({ heading }) => heading !== "")?.heading ?? page.path;
  return { page, title, html, sections, links };
}

/** Entities that authors write in Markdown, such as `&lt;`. */
function decode(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

/** Returns the text of inline tokens without markup. A heading nests only a few levels. */
function toPlain(tokens: readonly Tokens.Generic[]): string {
  const todo = [...tokens].reverse();
  let text = "";
  for (let token = todo.pop(); token !== undefined; token = todo.pop()) {
    if (token.tokens === undefined) text += decode(String(token["text"] ?? ""));
    else todo.push(...[...token.tokens].reverse());
  }
  return text;
}
