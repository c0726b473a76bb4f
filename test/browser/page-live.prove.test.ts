import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { executablePath, openBrowser, openPage, openPageServer, type PageServer } from "./page-harness.ts";
import { sampleSpec, tideTables } from "./page-specs.ts";

const spec = "tide-tables-2026-11-02-001";
const board = `#/specs/${spec}/board`;
const times: string[] = [];

/** Waits for an element, and notes how long it took. */
async function timed(name: string, begin: number, seen: Promise<unknown>): Promise<void> {
  await seen;
  times.push(`${name}: ${Math.round(performance.now() - begin)} ms`);
}
const column = (page: Page, state: string, task: string) =>
  page.waitForSelector(`.column-${state} [data-task=${task}]`);

describe.skipIf(executablePath === undefined)("the page while others work", () => {
  let browser: Browser;
  let server: PageServer;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    server = await openPageServer({ [`active/${spec}.json`]: tideTables });
  });
  afterEach(() => server.close());
  afterAll(async () => {
    await browser?.close();
    process.stderr.write(`The time until another page shows a change:\n  ${times.join("\n  ")}\n`);
  });

  it("shows the changes of another page, of a command and of an editor", async () => {
    const [first, second] = await Promise.all([
      openPage(browser, `${server.address}${board}`),
      openPage(browser, `${server.address}${board}`),
    ]);
    await Promise.all([
      column(first.page, "in_progress", "task-2-2"),
      column(second.page, "in_progress", "task-2-2"),
    ]);
    await first.page.focus("[data-task=task-2-2]");
    await first.page.keyboard.press("p");
    await column(first.page, "ready", "task-2-2");
    await timed(
      "a change of a page in another page",
      performance.now(),
      column(second.page, "ready", "task-2-2"),
    );
    await second.page.focus("[data-task=task-2-2]");
    await second.page.keyboard.press("s");
    await timed("the same the other way", performance.now(), column(first.page, "in_progress", "task-2-2"));

    const completed = Promise.all(
      [first.page, second.page].map((page) => column(page, "completed", "task-2-2")),
    );
    await server.cli("tasks", "complete", spec, "task-2-2", "--note", "By a command");
    await timed("a change of a command, after it has ended, in two pages", performance.now(), completed);

    const held = first.page.waitForSelector(".card-foot.is-held:has-text('claude-code')");
    await server.cli("tasks", "claim", spec, "task-2-3", "--holder", "claude-code");
    await timed("a claim of a command", performance.now(), held);

    await server.workspace.write(`active/${spec}.json`, {
      ...(tideTables as object),
      title: "Written by an editor",
    });
    await timed(
      "a change of an editor",
      performance.now(),
      second.page.waitForSelector("h1:has-text('Written by an editor')"),
    );

    await second.page.goto(`${server.address}#/now`);
    await second.page.waitForSelector("text=Who works on what");
    await second.page.waitForSelector(".loading", { state: "detached" });
    const shown = second.page.waitForSelector(".now-column:has-text('In the last hour') >> text=task add");
    await server.cli("modify", "add-task", spec, "--parent", "phase-1", "--title", "Found at sea");
    await timed("a change in the view Now", performance.now(), shown);
    expect([first.faults, second.faults]).toEqual([[], []]);
    await Promise.all([first, second].map(({ page }) => page.context().close()));
  });

  it("says that the server is away, and catches up when it is back", async () => {
    const { page, faults } = await openPage(browser, `${server.address}${board}`);
    await column(page, "in_progress", "task-2-2");
    await page.waitForSelector(".connection-live");
    await server.kill();
    await page.waitForSelector(".banner:has-text('The server does not answer')");
    await page.focus("[data-task=task-2-2]");
    await page.keyboard.press("p");
    await page.waitForSelector(".toast-failed:has-text('The server does not answer')");
    await server.cli("tasks", "complete", spec, "task-2-2", "--note", "While the server was away");
    await server.cli(
      "modify",
      "add-task",
      spec,
      "--parent",
      "phase-2",
      "--title",
      "Found while the server was away",
    );
    await server.start();
    await column(page, "completed", "task-2-2");
    await page.waitForSelector(".card:has-text('Found while the server was away')");
    await page.waitForSelector(".banner", { state: "detached" });
    await page.waitForSelector(".connection-live");
    // The page works with the new server as before.
    await page.focus("[data-task=task-2-3]");
    await page.keyboard.press("s");
    await column(page, "in_progress", "task-2-3");
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("says that a spec was deleted, and shows it again when it is restored", async () => {
    const { page } = await openPage(browser, `${server.address}${board}`);
    await column(page, "in_progress", "task-2-2");
    await server.cli("specs", "delete", spec, "--confirm");
    await page.waitForSelector("text=This spec was deleted");
    await server.cli("specs", "restore", spec);
    await page.waitForSelector("text=This spec was deleted", { state: "detached" });
    await page.context().close();
  });

  it("shows hostile texts as texts, in every view", async () => {
    const hostile = [
      `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`,
      `"><svg onload="window.hacked=1">`,
      "javascript:window.hacked=1",
      "\u202egnihton si siht\u202c\u2066\u2067",
      "\u0000\u0001\u0007\u001b[31mred\u009b",
      "א".repeat(500),
      "W".repeat(20_000),
      "{{constructor.constructor('window.hacked=1')()}}",
      "__proto__",
      "👩‍👩‍👧‍👦".repeat(200),
      "\ud800 lone",
    ];
    const metadata = (text: string) => ({
      description: text,
      acceptance_criteria: [text, text],
      owner: text,
      labels: [text, `${text} 2`],
      priority: text,
      file_path: text,
      task_category: text,
      blocker_description: text,
      blocker_type: text,
      blocker_ticket: text,
      [text.slice(0, 300)]: text,
      verification_history: [
        { result: text, author: text, verified_at: text, command: text, issues: text, output_hash: text },
      ],
    });
    const tasks = hostile.flatMap((text) => [
      { title: text, metadata: metadata(text) },
      { title: text, status: "blocked" as const, metadata: metadata(text) },
      { title: text, type: "verify" as const, metadata: metadata(text) },
    ]);
    const evil = {
      ...sampleSpec(
        "evil",
        hostile[0] ?? "",
        [
          { title: hostile[1] ?? "", tasks },
          { title: hostile[6] ?? "", isFree: true, tasks: [{ title: "a", blockedBy: ["task-1-1"] }] },
        ],
        { mission: hostile.join("\n"), owner: hostile[3], labels: hostile, description: hostile[6] },
      ),
      journal: hostile.map((text) => ({
        timestamp: text,
        entry_type: "note",
        title: text,
        content: text,
        author: text,
        metadata: {},
        task_id: "task-1-1",
      })),
    };
    await server.workspace.write("active/evil.json", evil);
    await server.cli("tasks", "claim", "evil", "task-1-4", "--holder", hostile[0] ?? "");
    for (const width of [360, 1_280]) {
      const { page, faults } = await openPage(browser, `${server.address}#/`, {
        viewport: { width, height: 800 },
      });
      const places = [
        "#/",
        "#/specs/evil/board",
        "#/specs/evil/board?task=task-1-1",
        "#/specs/evil/board?task=verify-1-3",
        "#/specs/evil/board?owner=%3Cscript%3E&q=%3Cimg",
        "#/specs/evil/tree",
        "#/specs/evil/graph",
        "#/specs/evil/history",
        "#/specs/evil/stats",
        "#/now",
        `#/search?q=${encodeURIComponent("<img")}`,
        `#/specs/${encodeURIComponent(hostile[0] ?? "")}/board`,
        "#/specs/%E0%A4%A/board",
        "#/%00/../x",
      ];
      const broken: unknown[] = [];
      for (const place of places) {
        await page.goto("about:blank");
        await page.goto(`${server.address}${place}`);
        await page.waitForSelector("main h1, main .empty, main .error-box");
        await page.waitForSelector(".loading", { state: "detached" });
        const [hacked, wide] = (await page.evaluate(
          "[window.hacked, document.documentElement.scrollWidth > innerWidth]",
        )) as [unknown, boolean];
        if (hacked !== undefined || hacked === null || wide) broken.push([width, place, hacked, wide]);
      }
      expect(broken).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });
});
