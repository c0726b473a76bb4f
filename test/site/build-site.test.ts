import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import vm from "node:vm";
import MiniSearch from "minisearch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BuiltSite, buildSite } from "../../scripts/site/build-site.ts";
import { renderPage, toAnchor } from "../../scripts/site/render-page.ts";
import { searchOptions } from "../../scripts/site/search-options.ts";
import { root } from "../source-files.ts";

let out: string;
let site: BuiltSite;
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), "foundry-site-"));
  site = await buildSite(root, out);
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

const htmlFiles = () =>
  readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));

describe("the documentation site", () => {
  it("has every Markdown page of docs, once", () => {
    const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".md"),
    );
    const built = site.pages.map(({ page }) => page.path).filter((path) => path.startsWith("docs/"));
    expect(built).toEqual(pages.map((name) => `docs/${name}`).toSorted());
    expect(htmlFiles()).toHaveLength(site.pages.length);
  });

  it("has links that lead to files and headings of the site, or to the web", () => {
    let checked = 0;
    for (const name of htmlFiles()) {
      const html = readFileSync(join(out, name), "utf8");
      for (const [, href = ""] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^https?:/.test(href)) continue;
        const [path = "", anchor] = href.replaceAll("&amp;", "&").split("#");
        const target = path === "" ? join(out, name) : join(out, dirname(name), path);
        expect(existsSync(target), `${name}: ${href}`).toBe(true);
        if (anchor !== undefined)
          expect(readFileSync(target, "utf8"), `${name}: ${href}`).toContain(
            `id="${decodeURIComponent(anchor)}"`,
          );
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(1_000);
  });

  it("loads nothing from elsewhere", () => {
    for (const name of htmlFiles()) {
      const html = readFileSync(join(out, name), "utf8");
      expect(html.match(/<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g)).toBeNull();
      expect(html).toContain("default-src 'none'");
      expect(html.match(/<script(?![^>]*src=)[^>]*>|\son\w+="|style="/g)).toBeNull();
    }
  });

  it("leads from the navigation to every page that docs/README.md lists", () => {
    const html = readFileSync(join(out, "index.html"), "utf8");
    for (const path of ["docs/explain/why.html", "docs/guides/scale.html", "docs/reference/versions.html"])
      expect(html).toContain(`href="${path}"`);
  });

  it.each([
    ["lease", "docs/guides/several-agents.html"],
    ["uninstall", "docs/guides/upgrade.html#uninstall"],
    ["semantic versioning", "docs/reference/versions.html"],
    ["fensing token", "CONTRIBUTING.html"],
  ])("finds %s", (query, id) => {
    const context = vm.createContext({});
    vm.runInContext(readFileSync(join(out, "assets/search-index.js"), "utf8"), context);
    const index = MiniSearch.loadJSON(JSON.stringify(context["searchIndex"]), searchOptions);
    const found = index.search(query).map((each) => String(each.id));
    expect(
      found.slice(0, 30).some((each) => each.startsWith(id)),
      found.slice(0, 12).join("\n"),
    ).toBe(true);
  });
});

describe("a site with a broken link", () => {
  const build = (text: string) => {
    const folder = mkdtempSync(join(tmpdir(), "foundry-broken-site-"));
    for (const [path, content] of Object.entries({ "docs/README.md": text, "examples/README.md": "# E\n" })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    mkdirSync(join(folder, "packages"));
    return buildSite(folder, join(folder, "out")).finally(() => rmSync(folder, { recursive: true }));
  };

  it.each([
    ["# A\n[b](missing.md)\n", "docs/README.md links to missing.md, which does not exist"],
    ["# A\n![b](missing.png)\n", "docs/README.md shows missing.png, which does not exist"],
    ["# A\n[b](#missing)\n", "docs/README.md links to docs/README.md#missing, which does not exist"],
  ])("is not built: %j", async (text, message) => {
    await expect(build(text)).rejects.toThrow(message);
  });
});

describe("a page", () => {
  const toLink = (href: string) => ({ href });
  const render = (markdown: string) =>
    renderPage({ path: "a.md", url: "a.html", markdown }, toLink, toLink).html;

  it("shows pictures, with their description", () => {
    expect(render("![A <board>](b.png)\n")).toBe(
      '<p><img src="b.png" alt="A &lt;board&gt;" loading="lazy"></p>\n',
    );
  });

  it("contains no HTML that an author did not write as Markdown", () => {
    expect(render("a <script>alert(1)</script> & `<b>` <!-- hidden -->\n\n<!-- also -->\n")).toBe(
      "<p>a &lt;script&gt;alert(1)&lt;/script&gt; &amp; <code>&lt;b&gt;</code> </p>\n",
    );
  });

  it("has the same ids of headings as GitHub", () => {
    expect(toAnchor("What is a `breaking` change? (1.0)")).toBe("what-is-a-breaking-change-10");
    expect(render("## A\n\n## A\n")).toBe('<h2 id="a">A</h2>\n<h2 id="a-1">A</h2>\n');
  });
});
