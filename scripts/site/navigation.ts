import { dirname, relative } from "node:path/posix";
import { type Page, toSiteLink } from "./pages.ts";
import { escapeHtml } from "./render-page.ts";

/** A group of links in the navigation. */
export interface NavigationGroup {
  readonly title: string;
  readonly links: readonly { readonly title: string; readonly page: Page }[];
}

/** Reads the navigation from docs/README.md, which lists all pages: there is no second list. */
export function readNavigation(root: string, pages: ReadonlyMap<string, Page>): readonly NavigationGroup[] {
  const overview = pages.get("docs/README.md");
  if (overview === undefined) throw new Error("docs/README.md is missing");
  const groups: { title: string; links: { title: string; page: Page }[] }[] = [{ title: "Start", links: [] }];
  for (const line of overview.markdown.split("\n")) {
    const heading = /^## (.+)$/.exec(line)?.[1];
    if (heading !== undefined) groups.push({ title: heading, links: [] });
    const [, title, href] = /^- \[([^\]]+)\]\(([^)]+)\)/.exec(line) ?? [];
    if (title === undefined || href === undefined) continue;
    const { page } = toSiteLink(root, pages, overview, href);
    if (page !== undefined) groups.at(-1)?.links.push({ title, page });
  }
  const more = ["examples/README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];
  const project = more.flatMap((path) => {
    const page = pages.get(path);
    const title = /^# (.+)$/m.exec(page?.markdown ?? "")?.[1];
    return page === undefined || title === undefined ? [] : [{ title, page }];
  });
  return [...groups.filter(({ links }) => links.length > 0), { title: "Project", links: project }];
}

/** Returns a page of the site with its navigation. */
export function toDocument(
  { page, title, html }: { readonly page: Page; readonly title: string; readonly html: string },
  groups: readonly NavigationGroup[],
): string {
  const to = (url: string) => escapeHtml(relative(dirname(page.url), url) || url);
  const navigation = groups
    .map((group) => {
      const isOpen = group.links.some((link) => link.page === page);
      const items = group.links.map((link) => {
        const current = link.page === page ? ' aria-current="page"' : "";
        return `<li><a href="${to(link.page.url)}"${current}>${escapeHtml(link.title)}</a></li>`;
      });
      return `<details${isOpen ? " open" : ""}><summary>${escapeHtml(group.title)}</summary><ul>${items.join("")}</ul></details>`;
    })
    .join("\n");
  return `<!doctype html>
<html lang="en" data-root="${to("index.html").replace(/index\.html$/, "")}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}${title === "Foundry" ? "" : " · Foundry"}</title>
<link rel="stylesheet" href="${to("assets/site.css")}">
<script src="${to("assets/site.js")}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="${to("index.html")}">Foundry</a>
<div class="search"><label for="search">Search</label>
<input id="search" type="search" autocomplete="off" placeholder="Press / to search" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list">
<ul id="results" role="listbox" aria-label="Search results" hidden></ul></div>
<button id="theme" type="button" hidden>Dark</button>
</header>
<div class="columns">
<nav aria-label="Pages">
${navigation}
</nav>
<main id="content" tabindex="-1">
${html}
</main>
</div>
</body>
</html>
`;
}
