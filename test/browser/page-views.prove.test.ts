import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../source-files.ts";
import { executablePath, openBrowser, openPage, openPageServer, type PageServer } from "./page-harness.ts";
import { berthBooking, tideTables } from "./page-specs.ts";

const axeSource = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");
const spec = "tide-tables-2026-11-02-001";

/** Set this variable to write the pictures of the guide again. Other runs leave the repository as it is. */
const picturesTo =
  process.env["FOUNDRY_WRITE_PICTURES"] === "1" ? join(root, "docs/guides/images") : undefined;

/** A view: its route, what must be there, what is done before it is looked at, and the pictures of it. */
interface View {
  readonly name: string;
  readonly hash: string;
  readonly shows: string;
  act?(page: Page): Promise<unknown>;
}

const views: readonly View[] = [
  { name: "specs", hash: "#/", shows: "text=Berth booking" },
  { name: "board", hash: `#/specs/${spec}/board`, shows: ".card" },
  { name: "board-filtered", hash: `#/specs/${spec}/board?owner=Ada&label=core`, shows: "text=2 of 13 tasks" },
  {
    name: "task",
    hash: `#/specs/${spec}/board?task=task-2-2`,
    shows: "h2:has-text('Correct for the equation')",
  },
  { name: "evidence", hash: `#/specs/${spec}/board?task=verify-2-6`, shows: "text=No run is recorded yet" },
  { name: "tree", hash: `#/specs/${spec}/tree`, shows: "[role=treeitem] >> text=Draw the curve" },
  { name: "graph", hash: `#/specs/${spec}/graph`, shows: "h2:has-text('Critical path')" },
  { name: "history", hash: `#/specs/${spec}/history`, shows: "text=Revision" },
  { name: "stats", hash: `#/specs/${spec}/stats`, shows: "h2:has-text('Tasks by status')" },
  { name: "now", hash: "#/now", shows: "h2:has-text('Who works on what') >> text=/[1-9]/" },
  { name: "gateway", hash: "#/gateway", shows: "text=No gateway is served here" },
  {
    name: "call",
    hash: "#/gateway",
    shows: "h2:has-text('Make a call')",
    act: async (page) => {
      await page.click("button:text-is('Call')");
      await page.waitForSelector(".json");
    },
  },
  {
    name: "contract",
    hash: "#/contract",
    shows: "h1:has-text('Contract')",
    act: async (page) => {
      await page.click("text=A broken answer");
      await page.waitForSelector("text=5 MUST rules are broken");
    },
  },
  { name: "search", hash: "#/search?q=harbour", shows: "text=/texts contain all words/" },
  {
    name: "palette",
    hash: `#/specs/${spec}/board`,
    shows: ".board",
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("curve");
      await page.waitForSelector("[role=option]");
    },
  },
  { name: "keys", hash: "#/", shows: "h1", act: (page) => page.keyboard.press("?") },
  { name: "new-spec", hash: "#/", shows: "h1", act: (page) => page.click("text=New spec") },
  {
    name: "edit",
    hash: `#/specs/${spec}/board?task=task-2-2`,
    shows: ".task-panel",
    act: (page) => page.click(".task-acts >> text=Edit"),
  },
  { name: "unknown", hash: "#/nothing/here", shows: "text=There is nothing at this address" },
  { name: "no-spec", hash: "#/specs/no-such-spec/board", shows: "text=This workspace has no such spec" },
];

/** The views of which the guide has a picture. */
const pictured: readonly string[] = ["board", "task", "graph", "history", "now", "contract"];

describe.skipIf(executablePath === undefined)("the views of the page", () => {
  let browser: Browser;
  let server: PageServer;

  beforeAll(async () => {
    browser = await openBrowser();
    server = await openPageServer({
      [`active/${spec}.json`]: tideTables,
      "active/berth-booking-2026-11-10-001.json": berthBooking,
    });
    await server.cli("tasks", "claim", spec, "task-2-2", "--holder", "claude-code");
    await server.cli(
      "tasks",
      "update",
      spec,
      "task-3-1",
      "--owner",
      "Margaret",
      "--title",
      "Draw the curve of a day and a night",
    );
    await server.cli(
      "tasks",
      "complete",
      "berth-booking-2026-11-10-001",
      "task-1-2",
      "--note",
      "The database refuses it",
    );
    if (picturesTo !== undefined) mkdirSync(picturesTo, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it.each(["light", "dark"] as const)(
    "have no violations of axe-core's rules, in %s colours",
    async (scheme) => {
      const { page, faults } = await openPage(browser, server.address, {
        colorScheme: scheme,
        viewport: { width: 1440, height: 900 },
        reducedMotion: "reduce",
      });
      const violations: unknown[] = [];
      for (const view of views) {
        await show(page, server.address, view);
        await page.evaluate(axeSource);
        const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
          violations: readonly {
            id: string;
            impact: string;
            nodes: readonly { html: string; failureSummary: string }[];
          }[];
        };
        violations.push(
          ...found.violations.map(({ id, nodes }) => [
            view.name,
            id,
            nodes.length,
            nodes[0]?.html.slice(0, 200),
            nodes[0]?.failureSummary,
          ]),
        );
        // One of the pictures shows the dark colours.
        if (
          picturesTo !== undefined &&
          pictured.includes(view.name) &&
          (scheme === "dark") === (view.name === "now")
        )
          await page.screenshot({ path: join(picturesTo, `page-${view.name}.png`) });
      }
      expect(violations).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it.each([360, 800])("fit a window of %i pixels", async (width) => {
    const { page, faults } = await openPage(browser, server.address, {
      viewport: { width, height: 760 },
      reducedMotion: "reduce",
    });
    const tooWide: unknown[] = [];
    for (const view of views) {
      await show(page, server.address, view);
      const actual = await page.evaluate("document.documentElement.scrollWidth");
      if (actual !== width) tooWide.push([view.name, actual]);
      if (picturesTo !== undefined && width === 360 && view.name === "board")
        await page.screenshot({ path: join(picturesTo, "page-phone.png") });
    }
    expect(tooWide).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("keep the chosen colours and the route over a reload", async () => {
    const { page } = await openPage(browser, `${server.address}#/specs/${spec}/tree?owner=Ada&task=task-2-1`);
    await page.click("button[aria-label=Settings]");
    await page.click("[role=menuitemradio]:has-text('Dark')");
    await page.reload();
    await page.waitForSelector("h2:has-text('Sum the harmonic terms')");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    expect(await page.locator("select[aria-label=Owner]").inputValue()).toBe("Ada");
    await page.context().close();
  });
});

async function show(page: Page, address: string, { hash, shows, act }: View): Promise<void> {
  // Another address in between, so that a dialog of the view before is gone.
  await page.goto("about:blank");
  await page.goto(`${address}${hash}`);
  await page.waitForSelector(shows);
  await page.waitForSelector(".loading", { state: "detached" });
  await act?.(page);
}
