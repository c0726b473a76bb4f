import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { dirname, normalize, relative } from "node:path/posix";

/** A Markdown page of the repository. */
export interface Page {
  /** The path of the Markdown file, relative to the root of the repository. */
  readonly path: string;
  /** The path of the HTML file, relative to the root of the site. */
  readonly url: string;
  readonly markdown: string;
}

/** Reads the pages of the site: all Markdown files that a reader of the repository is led to. */
export function readPages(root: string): readonly Page[] {
  const below = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(".md"));
  const ofRoot = readdirSync(root).filter((name) => name.endsWith(".md"));
  const ofPackages = readdirSync(join(root, "packages"))
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => existsSync(join(root, path)));
  return [...ofRoot, ...below("docs"), ...below("examples"), ...ofPackages].toSorted().map((path) => ({
    path,
    url: toUrl(path),
    markdown: readFileSync(join(root, path), "utf8"),
  }));
}

/** README.md is the first page of its folder. */
function toUrl(path: string): string {
  return path.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");
}

/** A link of a page, as the site writes it. */
export interface SiteLink {
  /** The address, relative to the page; undefined for a folder, which the site does not contain. */
  readonly href: string | undefined;
  /** The page to which the link leads, if it leads to a page of the site. */
  readonly page?: Page;
  /** A source file that the site must contain because the link leads to it. */
  readonly source?: string;
  /** A picture that the page shows. It has the same path in the site as in the repository. */
  readonly picture?: string;
  readonly anchor?: string;
}

/** Converts a link in the Markdown of a page. Throws for a link to a file that does not exist. */
export function toSiteLink(
  root: string,
  pages: ReadonlyMap<string, Page>,
  from: Page,
  href: string,
): SiteLink {
  if (/^[a-z]+:/i.test(href)) return { href };
  const [target = "", anchor] = href.split("#");
  const path = target === "" ? from.path : normalize(`${dirname(from.path)}/${target}`);
  const page = pages.get(path) ?? pages.get(`${path.replace(/\/$/, "")}/README.md`);
  const to = (url: string) => relative(dirname(from.url), url);
  const suffix = anchor === undefined ? "" : `#${anchor}`;
  if (page !== undefined)
    return {
      href: `${page === from ? "" : to(page.url)}${suffix}`,
      page,
      ...(anchor === undefined ? {} : { anchor }),
    };
  if (!existsSync(join(root, path))) throw new Error(`${from.path} links to ${href}, which does not exist`);
  if (statSync(join(root, path)).isDirectory()) return { href: undefined };
  const source = `source/${path}.txt`;
  return { href: to(source), source: path };
}

/** Converts the address of a picture in the Markdown of a page. Throws if the picture does not exist. */
export function toPicture(root: string, from: Page, href: string): SiteLink {
  const picture = normalize(`${dirname(from.path)}/${href}`);
  if (!existsSync(join(root, picture))) throw new Error(`${from.path} shows ${href}, which does not exist`);
  return { href: relative(dirname(from.url), picture), picture };
}
