/** Builds the documentation as a static site, without anything from the network. Run with `npm run docs`. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import MiniSearch from "minisearch";
import { readNavigation, toDocument } from "./navigation.ts";
import { readPages, toPicture, toSiteLink } from "./pages.ts";
import { type RenderedPage, renderPage } from "./render-page.ts";
import { searchOptions } from "./search-options.ts";

/** What was built. */
export interface BuiltSite {
  readonly pages: readonly RenderedPage[];
  readonly sources: readonly string[];
}

/** Builds the site into a folder. Throws if a link leads nowhere. */
export async function buildSite(root: string, out: string): Promise<BuiltSite> {
  rmSync(out, { recursive: true, force: true });
  const pages = new Map(readPages(root).map((page) => [page.path, page]));
  const rendered = [...pages.values()].map((page) =>
    renderPage(
      page,
      (href) => toSiteLink(root, pages, page, href),
      (href) => toPicture(root, page, href),
    ),
  );
  requireAnchors(rendered);
  const navigation = readNavigation(root, pages);
  for (const each of rendered) write(join(out, each.page.url), toDocument(each, navigation));

  // Sources are plain text: a browser shows them, and runs none of them.
  const sources = [...new Set(rendered.flatMap(({ links }) => links.flatMap(({ source }) => source ?? [])))];
  for (const path of sources) {
    mkdirSync(dirname(join(out, "source", path)), { recursive: true });
    cpSync(join(root, path), join(out, "source", `${path}.txt`));
  }

  for (const { links } of rendered)
    for (const { picture } of links)
      if (picture !== undefined) cpSync(join(root, picture), join(out, picture), { recursive: true });

  const assets = join(root, "scripts/site/assets");
  mkdirSync(join(out, "assets"), { recursive: true });
  cpSync(join(assets, "site.css"), join(out, "assets/site.css"));
  await build({
    entryPoints: [join(assets, "site.js")],
    outfile: join(out, "assets/site.js"),
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    legalComments: "inline",
    logLevel: "warning",
  });
  const index = new MiniSearch(searchOptions);
  index.addAll(
    rendered.flatMap(({ page, title, sections }) =>
      sections
        .filter(({ heading, text }) => heading !== "" || text.trim() !== "")
        .map(({ anchor, heading, text }) => ({
          id: anchor === "" ? page.url : `${page.url}#${anchor}`,
          title,
          heading,
          text,
        })),
    ),
  );
  write(join(out, "assets/search-index.js"), `globalThis.searchIndex = ${JSON.stringify(index)};\n`);
  return { pages: rendered, sources };
}

/** Throws if a link leads to a heading that does not exist. */
function requireAnchors(rendered: readonly RenderedPage[]): void {
  const anchors = new Map(
    rendered.map(({ page, sections }) => [page, new Set(sections.map((each) => each.anchor))]),
  );
  const broken = rendered.flatMap(({ page: from, links }) =>
    links
      .filter(
        ({ page, anchor }) => page !== undefined && anchor !== undefined && !anchors.get(page)?.has(anchor),
      )
      .map(({ page, anchor }) => `${from.path} links to ${page?.path}#${anchor}, which does not exist`),
  );
  if (broken.length > 0) throw new Error(broken.join("\n"));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

if (
  process.argv[1] !== undefined &&
  import.meta.url.endsWith("/site/build-site.js") &&
  process.argv[1].endsWith("build-site.js")
) {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const out = join(root, ".build/site");
  const { pages, sources } = await buildSite(root, out);
  console.log(`Built ${pages.length} pages and ${sources.length} sources. Open ${join(out, "index.html")}`);
}
