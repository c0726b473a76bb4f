import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { executablePath, openBrowser, openPage, openPageServer, type PageServer } from "./page-harness.ts";
import { largeSpec } from "./page-specs.ts";

const id = "large-2026-11-01-001";
const smaller = "smaller-2026-11-01-001";
const lines: string[] = [];

/** The seconds that the main thread has worked since the page was opened. */
async function mainThreadSeconds(session: CDPSession): Promise<number> {
  const { metrics } = (await session.send("Performance.getMetrics")) as {
    metrics: readonly { name: string; value: number }[];
  };
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
}

async function heapMegabytes(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = (await session.send("Runtime.getHeapUsage")) as { usedSize: number };
  return usedSize / 1_000_000;
}

describe.skipIf(executablePath === undefined)("the page with 10,000 tasks", () => {
  let browser: Browser;
  let server: PageServer;

  beforeAll(async () => {
    browser = await openBrowser();
    server = await openPageServer({
      [`active/${id}.json`]: largeSpec(id, 10_000),
      // Writing a spec of 10,000 tasks a thousand times would take the server minutes.
      [`active/${smaller}.json`]: largeSpec(smaller, 500),
    });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    process.stderr.write(`The page with 10,000 tasks:\n  ${lines.join("\n  ")}\n`);
  });

  it("shows every view, and a change, without freezing", async () => {
    const { page, faults } = await openPage(browser, "about:blank");
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    const measure = async (name: string, run: () => Promise<unknown>) => {
      const begin = await mainThreadSeconds(session);
      await run();
      lines.push(
        `${name}: ${Math.round(((await mainThreadSeconds(session)) - begin) * 1_000)} ms of the main thread`,
      );
    };
    await measure("first view (board)", async () => {
      await page.goto(`${server.address}#/specs/${id}/board`);
      await page.waitForSelector(".card");
    });
    const nodes = (await page.evaluate("document.querySelectorAll('*').length")) as number;
    lines.push(`elements in the document: ${nodes}`);
    expect(nodes).toBeLessThan(2_500);
    expect(await page.locator(".filter-count").innerText()).toBe("10000 tasks");

    await page.waitForSelector(".connection-live");
    await measure("a change of another process", async () => {
      await server.cli("tasks", "start", id, "task-4-1");
      await page.waitForSelector(".column-in_progress [data-task=task-4-1]");
    });
    await measure("scrolling a column to its end", async () => {
      await page.evaluate("document.querySelector('.column-ready .column-list').scrollTop = 1e9");
      await page.waitForSelector(".column-ready [data-task=task-100-99]");
    });
    await measure("filtering", async () => {
      await page.fill("[data-filter]", "phase 77");
      await page.waitForSelector("text=199 of 10000 tasks");
    });
    for (const [tab, shows] of [
      ["tree", "[role=treeitem]"],
      ["graph", ".graph-box"],
      ["history", ".revision"],
      ["stats", ".stat-tile"],
    ] as const)
      await measure(tab, async () => {
        await page.goto(`${server.address}#/specs/${id}/${tab}`);
        await page.waitForSelector(shows);
      });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("keeps its memory over 1,000 live changes", async () => {
    const { page } = await openPage(browser, `${server.address}#/specs/${smaller}/board`);
    const session = await page.context().newCDPSession(page);
    await page.waitForSelector(".card");
    await page.waitForSelector(".connection-live");
    await change(page, 0, 100);
    const before = await heapMegabytes(session);
    await change(page, 100, 1_100);
    const after = await heapMegabytes(session);
    lines.push(
      `heap before and after 1,000 live changes of 500 tasks: ${before.toFixed(1)} MB, ${after.toFixed(1)} MB`,
    );
    expect(after).toBeLessThan(before * 1.5 + 10);
    await page.context().close();
  });

  /** Changes the titles of tasks from outside of the page, and waits until the page shows the last change. */
  async function change(page: Page, from: number, to: number): Promise<void> {
    for (let number = from; number < to; number++) {
      const task_id = `task-4-${(number % 5) + 1}`;
      const answer = await fetch(`${server.address}api/tools/task`, {
        method: "POST",
        body: JSON.stringify({ action: "update", spec_id: smaller, task_id, title: `Change ${number}` }),
      });
      expect(answer.status).toBe(200);
    }
    await page.waitForSelector(`.card:has-text("Change ${to - 1}")`);
  }
});
