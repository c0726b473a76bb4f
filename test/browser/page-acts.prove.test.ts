import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  executablePath,
  type OpenedPage,
  openBrowser,
  openPage,
  openPageServer,
  type PageServer,
} from "./page-harness.ts";
import { berthBooking, tideTables } from "./page-specs.ts";

const spec = "tide-tables-2026-11-02-001";
const upstream = fileURLToPath(
  new URL("../../packages/foundry/src/gateway/fixtures/upstream.mjs", import.meta.url),
);
const board = `#/specs/${spec}/board`;

/** Returns a task as another process reads it. */
async function readTask(server: PageServer, id: string): Promise<Readonly<Record<string, unknown>>> {
  const { task } = await server.cli("tasks", "info", spec, id);
  return task as Readonly<Record<string, unknown>>;
}
const toast = (page: Page, text: string) => page.waitForSelector(`.toast:has-text("${text}")`);

describe.skipIf(executablePath === undefined)("the acts of the page", () => {
  let browser: Browser;
  let server: PageServer;
  let opened: OpenedPage;
  let page: Page;
  const open = async (hash: string) => {
    opened = await openPage(browser, `${server.address}${hash}`);
    page = opened.page;
  };

  /** Waits until a row of the tree is right before another. */
  const isRightBefore = (first: string, second: string) =>
    expect
      .poll(async () => {
        const ids = (await page.evaluate(
          "[...document.querySelectorAll('[role=treeitem]')].map(({ dataset }) => dataset.task)",
        )) as readonly string[];
        return ids.indexOf(second) - ids.indexOf(first);
      })
      .toBe(1);
  /** Returns the field of the open form with a label. */
  const field = (label: string) =>
    page
      .locator("dialog[open] .field", { hasText: new RegExp(`^${label}`) })
      .first()
      .locator("input, textarea, select");

  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    server = await openPageServer({
      [`active/${spec}.json`]: tideTables,
      "active/berth-booking-2026-11-10-001.json": berthBooking,
    });
  });
  afterEach(async () => {
    expect(opened.faults).toEqual([]);
    await page.context().close();
    await server.close();
  });
  afterAll(() => browser?.close());

  it("create a spec, plan it, work on it and undo", async () => {
    await open("#/");
    await page.click("text=New spec");
    await field("Title").fill("Buoys of the bay");
    await field("Goal").fill("Every buoy is on the map");
    await field("Phases").fill("Survey\nDraw");
    await page.click("button:text-is('Create')");
    await page.waitForSelector("h1:has-text('Buoys of the bay')");
    await page.waitForSelector("[disabled][title='This spec has no change to undo']");
    await page.click("text=Add task >> nth=0");
    await field("Title").fill("Count the buoys");
    await field("Done when").fill("The count is written down\nTwo people counted");
    await field("Labels").fill("sea, count");
    await page.click("[data-submit]");
    await toast(page, "Added");
    await page.waitForSelector("h2:has-text('Count the buoys')");
    await page.click(".task-acts >> text=Start");
    await toast(page, "Started");
    await page.waitForSelector(".panel-state:has-text('In progress')");
    await page.click(".task-acts >> text=Complete");
    await page.fill("dialog textarea", "There are 31");
    await page.click("[data-submit]");
    await page.waitForSelector(".panel-state:has-text('Completed')");
    await page.waitForSelector("text=There are 31");
    expect(await page.locator(".toast:has-text('Completed') p").first().innerText()).toBe(
      "Completed “\u2068Count the buoys\u2069”",
    );
    // An older message does not offer to undo, because that would undo the newer change.
    expect(await page.locator(".toast:has-text('Started') >> text=Undo").count()).toBe(0);
    await page.click(".toast:has-text('Completed') >> text=Undo");
    await toast(page, "Undone");
    await page.waitForSelector(".panel-state:has-text('In progress')");
    await page.click(".toast:has-text('Undone') >> text=Redo");
    await toast(page, "Redone");
    await page.waitForSelector(".panel-state:has-text('Completed')");
    const { specs } = (await server.cli("specs", "list")) as {
      specs: readonly { id: string; title: string; progress: object }[];
    };
    const made = specs.find(({ title }) => title === "Buoys of the bay");
    expect(made?.progress).toEqual({ completed: 1, total: 1, percentage: 100 });
    const { entries } = (await server.cli("specs", "history", made?.id ?? "")) as {
      entries: readonly { author: string; action: string }[];
    };
    expect(new Set(entries.map(({ author }) => author))).toEqual(new Set(["Grace"]));
  });

  it("block, unblock, stop, reopen and edit a task, and add and remove a dependency", async () => {
    await open(`${board}?task=task-2-2`);
    await page.click(".task-acts >> text=Block");
    await page.waitForSelector("dialog textarea");
    await page.evaluate(
      "document.querySelector('dialog textarea').oninvalid = ({ target }) => { target.dataset.refused = 'yes'; }",
    );
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("dialog textarea[data-refused]");
    await page.fill("dialog textarea", "No ephemeris for 2027");
    await field("Kind of obstacle").selectOption("technical");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".blocked-box:has-text('No ephemeris for 2027')");
    await page.click(".task-acts >> text=Unblock");
    await page.fill("dialog textarea", "The almanac has it");
    await page.click("[data-submit]");
    await page.waitForSelector(".panel-state:has-text('Ready')");
    await page.click(".task-acts >> text=Start");
    await page.waitForSelector(".panel-state:has-text('In progress')");
    await page.click(".task-acts >> text=Stop");
    await page.waitForSelector(".panel-state:has-text('Ready')");
    await page.click(".task-acts >> text=Edit");
    await field("Title").fill("Correct for the nodes of the moon");
    await field("Owner").fill("Linus");
    await field("Priority").selectOption("critical");
    await page.click("[data-submit]");
    await page.waitForSelector("h2:has-text('Correct for the nodes of the moon')");
    await page.click("[aria-label='More for this task']");
    await page.click("text=Add dependency…");
    await field("Waits for").fill("second one nobody has");
    await field("Waits for").fill("task-2-4");
    await page.click("[data-submit]");
    await page.waitForSelector("section:has(h3:text-is('Waits for')) >> text=Compute all harbours");
    expect(await readTask(server, "task-2-2")).toMatchObject({
      title: "Correct for the nodes of the moon",
      dependencies: { blocked_by: ["task-2-1", "task-2-4"] },
      metadata: { owner: "Linus", priority: "critical" },
    });
    await page.click("[aria-label='Remove the dependency on task-2-4']");
    await toast(page, "no longer waits");
    await page.goto(`${server.address}${board}?task=task-2-1`);
    await page.click(".task-acts >> text=Reopen");
    await page.fill("dialog textarea", "The sum was wrong");
    await page.click("[data-submit]");
    await page.waitForSelector(".panel-state:has-text('Ready')");
  });

  it("move a task by a form, by a key and by dragging", async () => {
    await open(`#/specs/${spec}/tree?task=task-2-5`);
    await page.click("[aria-label='More for this task']");
    await page.click("text=Move…");
    await field("To").selectOption("phase-3");
    await page.click("[data-submit]");
    await toast(page, "Moved");
    await page.waitForSelector(".panel-state:has-text('in Show them')");
    await page.keyboard.press("Escape");
    await page.focus("[role=treeitem][data-task=task-2-5]");
    await page.keyboard.press("Alt+ArrowUp");
    await isRightBefore("task-2-5", "task-3-3");
    await page.dragAndDrop("[role=treeitem][data-task=task-2-5]", "[role=treeitem][data-task=task-3-1]");
    await isRightBefore("task-2-5", "task-3-1");
    await page.goto(`${server.address}${board}`);
    await page.dragAndDrop(".card:has([data-task=task-2-2])", ".column-completed");
    await page.click("[data-submit]");
    await page.waitForSelector(".column-completed [data-task=task-2-2]");
    expect(await readTask(server, "task-2-2")).toMatchObject({ status: "completed" });
  });

  it("go from the list of specs to a completed task by the keyboard alone", async () => {
    await open("#/");
    await page.waitForSelector("text=Tide tables for every harbour");
    const pressUntil = async (key: string, selector: string) => {
      for (let count = 0; count < 40; count++) {
        if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
        await page.keyboard.press(key);
      }
      throw new Error(`No ${key} leads to ${selector}`);
    };
    await pressUntil("Tab", `a[href*="${spec}"]`);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".board");
    await pressUntil("Tab", ".card-title");
    await pressUntil("ArrowRight", "[data-task=task-2-2]");
    await page.keyboard.press("c");
    await page.waitForSelector("dialog");
    await page.keyboard.type("By the keyboard alone");
    await page.keyboard.press("Tab");
    await pressUntil("Tab", "[data-submit]");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".column-completed [data-task=task-2-2]");
    expect(await readTask(server, "task-2-2")).toMatchObject({
      status: "completed",
      note: "By the keyboard alone",
    });
    await page.keyboard.press("z");
    await toast(page, "Undone");
    await page.waitForSelector(".column-in_progress [data-task=task-2-2]");
  });

  it("show both sides of a conflict, and let the person choose field by field", async () => {
    await open(`${board}?task=task-2-3`);
    await page.click(".task-acts >> text=Edit");
    await field("Title").fill("Compare with the British tables");
    await field("Owner").fill("Margaret");
    await server.cli(
      "tasks",
      "update",
      spec,
      "task-2-3",
      "--title",
      "Compare with the French tables",
      "--priority",
      "low",
    );
    await page.click("[data-submit]");
    const dialog = page.locator("dialog:has-text('Somebody else changed this too')");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await field("Title").inputValue()).toBe("Compare with the British tables");
    await page.click("[data-submit]");
    await dialog.waitFor();
    const mine = await dialog.locator(".conflict-side").first().innerText();
    const theirs = await dialog.locator(".conflict-side").last().innerText();
    expect([
      mine.includes("British"),
      mine.includes("Margaret"),
      theirs.includes("French"),
      theirs.includes("Ada"),
      theirs.includes("low"),
    ]).toEqual([true, true, true, true, true]);
    await dialog.locator("[aria-label=title] >> text=Theirs").click();
    await dialog.locator("text=Apply mine on top").click();
    await toast(page, "Changed");
    expect(await readTask(server, "task-2-3")).toMatchObject({
      title: "Compare with the French tables",
      metadata: { owner: "Margaret", priority: "low" },
    });
  });

  it("give up a change in a conflict, and ask nothing if somebody changed another task", async () => {
    await open(`${board}?task=task-2-2`);
    await page.click(".task-acts >> text=Complete");
    await server.cli("tasks", "update", spec, "task-3-1", "--owner", "Ada");
    await page.click("[data-submit]");
    await page.waitForSelector(".panel-state:has-text('Completed')");
    await page.goto(`${server.address}${board}?task=task-2-5`);
    await page.waitForSelector("h2:has-text('Write down where')");
    await page.keyboard.press("b");
    await page.fill("dialog textarea", "Nobody knows");
    await server.cli("tasks", "start", spec, "task-2-5");
    await page.click("[data-submit]");
    await page.click("text=Keep theirs");
    await page.waitForSelector(".panel-state:has-text('In progress')");
    expect(await readTask(server, "task-2-5")).toMatchObject({ status: "in_progress" });
  });

  it("show what a refused change lacks, and keep what was typed", async () => {
    await open(`${board}?task=task-3-1`);
    await page.waitForSelector(".panel-state");
    expect(await page.locator(".task-acts >> text=Complete").count()).toBe(0);
    await page.keyboard.press("c");
    await page.fill("dialog textarea", "Too early");
    await page.click("[data-submit]");
    await page.waitForSelector("dialog .error-box:has-text('DEPENDENCY_ERROR')");
    expect(await page.inputValue("dialog textarea")).toBe("Too early");
    expect(await page.locator("dialog .error-box").innerText()).not.toContain("POST");
    await page.click("dialog .error-box >> text=Open task-");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.goto(`${server.address}${board}?q=nothing+has+these+words`);
    await page.waitForSelector(".column-ready:has-text('No task matches the filter')");
  });

  it("call a tool of the gateway that is served beside the specs", async () => {
    await server.close();
    server = await openPageServer({}, [], { harbour: { command: process.execPath, args: [upstream] } });
    await open("#/gateway");
    await page.waitForSelector(".upstream:has-text('harbour')");
    await page.selectOption(".call-form select", "gateway call");
    await page.fill(".call-form textarea", '{"message":"ahoy"}');
    await page.click("button:text-is('Call')");
    await page.waitForSelector(".call-answer:has-text('success'):has-text('ahoy')");
  });

  it("move a spec to another folder, delete it and restore it", async () => {
    await open("#/specs/berth-booking-2026-11-10-001/board");
    await page.click("[aria-label='More for this spec']");
    await page.click("text=Move to pending");
    await page.waitForSelector(".tag.folder-pending");
    await page.click("[aria-label='More for this spec']");
    await page.click("text=Delete…");
    await page.click("text=Move to the trash");
    await page.waitForSelector("h1:text-is('Specs')");
    await page.click("summary:has-text('Trash')");
    await page.click("text=Restore >> nth=0");
    await page.waitForSelector("a:has-text('Berth booking')");
  });
});
