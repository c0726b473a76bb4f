import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSite } from "../../scripts/site/build-site.ts";
import { findRequiredChromium } from "../browser/find-chromium.ts";
import { root } from "../source-files.ts";

const executablePath = findRequiredChromium();
if (executablePath === undefined)
  process.stdout.write("no chromium on the PATH: the documentation site was not opened in one\n");

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".txt": "text/plain; charset=utf-8",
};

describe.skipIf(executablePath === undefined)("the documentation site in Chromium", () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let origin: string;
  const requested: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "foundry-site-"));
    await buildSite(root, folder);
    server = createServer((req, res) => {
      const path = join(folder, new URL(req.url ?? "/", "http://localhost").pathname);
      if (!existsSync(path)) return void res.writeHead(404).end();
      res.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" });
      createReadStream(path).pipe(res);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: ["--no-sandbox", "--disable-dev-shm-usage"],
    });
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a page. Errors of the page and messages about its security policy fail the test. */
  async function open(
    path: string,
    colorScheme: "light" | "dark" = "light",
  ): Promise<{ page: Page; errors: string[] }> {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (err) => errors.push(err.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("favicon")) errors.push(message.text());
    });
    page.on("request", (request) => requested.push(new URL(request.url()).origin));
    await page.goto(`${origin}/${path}`);
    return { page, errors };
  }

  it("finds a page by keyboard, and opens it at the heading", async () => {
    const { page, errors } = await open("index.html");
    await page.keyboard.press("/");
    await page.keyboard.type("uninstall");
    await page.waitForSelector("#results [role=option]");
    expect(await page.getAttribute("#search", "aria-expanded")).toBe("true");
    const texts = await page.$$eval("#results [role=option]", (options) =>
      options.map((each) => each.textContent),
    );
    const at = texts.findIndex((text) => text?.startsWith("Uninstall"));
    expect(at, texts.join("\n")).toBeGreaterThanOrEqual(0);
    for (let step = 0; step < at; step++) await page.keyboard.press("ArrowDown");
    await Promise.all([
      page.waitForURL("**/docs/guides/upgrade.html#uninstall"),
      page.keyboard.press("Enter"),
    ]);
    expect(await page.textContent("#uninstall")).toBe("Uninstall");
    expect(errors.filter((each) => !each.includes("404"))).toEqual([]);
    await page.context().close();
  });

  it("is dark or light as the system, until a person chooses", async () => {
    const { page } = await open("docs/start/contract.html", "dark");
    const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    expect(await background()).toBe("rgb(20, 23, 26)");
    await page.click("#theme");
    expect(await background()).toBe("rgb(255, 255, 255)");
    await page.goto(`${origin}/docs/index.html`);
    expect(await background()).toBe("rgb(255, 255, 255)");
    await page.context().close();
  });

  it.each([
    ["index.html", "light"],
    ["docs/reference/tools.html", "dark"],
    ["docs/explain/why.html", "light"],
  ] as const)("has no violation of axe-core: %s, %s", async (path, colorScheme) => {
    const { page } = await open(path, colorScheme);
    // The policy of the page forbids scripts from elsewhere, so the debugger of the browser runs axe.
    await page.evaluate(axe);
    const violations = await page.evaluate(async () => {
      const { axe: checker } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      const found = await checker.run();
      return found.violations.map(
        ({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} (${nodes.length})`,
      );
    });
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("fits on a phone, without scrolling to the side", async () => {
    const { page } = await open("docs/reference/tools.html");
    await page.setViewportSize({ width: 360, height: 700 });
    const widths = await page.evaluate<[number, number]>(
      "[document.documentElement.scrollWidth, innerWidth]",
    );
    expect(widths[0]).toBeLessThanOrEqual(widths[1]);
    const shots = join(root, ".build/screenshots");
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: join(shots, "site-phone.png") });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${origin}/docs/explain/why.html`);
    await page.screenshot({ path: join(shots, "site.png") });
    await page.context().close();
  });

  it("asked no other origin for anything", () => {
    expect(requested.length).toBeGreaterThan(10);
    expect([...new Set(requested)]).toEqual([origin]);
  });
});
