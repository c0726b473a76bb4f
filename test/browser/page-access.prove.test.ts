import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { executablePath, openBrowser, openPage, openPageServer, type PageServer } from "./page-harness.ts";
import { tideTables } from "./page-specs.ts";

const spec = "tide-tables-2026-11-02-001";
const tokens = {
  author: "token-of-the-author-0001",
  observer: "token-of-the-observer-001",
  expired: "token-of-the-year-2020-01",
};

describe.skipIf(executablePath === undefined)("the page of a server with tokens", () => {
  let browser: Browser;
  let server: PageServer;
  const signIn = async (token: string, isKept = false) => {
    const { page, faults } = await openPage(browser, `${server.address}#/specs/${spec}/board?task=task-2-2`);
    await page.waitForSelector("text=This server asks for a token");
    await page.fill("input[name=token]", token);
    if (isKept) await page.check("input[type=checkbox]");
    await page.click("button:text-is('Sign in')");
    return { page, faults };
  };

  beforeAll(async () => {
    browser = await openBrowser();
    server = await openPageServer({ [`active/${spec}.json`]: tideTables }, [
      { token: tokens.author, principal: "arno", role: "author" },
      { token: tokens.observer, principal: "olga", role: "observer" },
      { token: tokens.expired, principal: "eve", role: "author", expires: "2020-01-31T12:00:00Z" },
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it.each([
    ["token-that-nobody-has-01", "The server does not know this token"],
    [tokens.expired, "This token has expired"],
  ])("says why it refuses %s", async (token, reason) => {
    const { page, faults } = await signIn(token);
    await page.waitForSelector(`[role=alert]:has-text("${reason}")`);
    expect([page.url().includes(token), faults]).toEqual([false, []]);
    await page.context().close();
  });

  it("lets an author work, and keeps the token out of addresses and of the storage", async () => {
    const { page, faults } = await signIn(tokens.author);
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await page.click(".task-acts >> text=Complete");
    await page.click("[data-submit]");
    await page.waitForSelector(".panel-state:has-text('Completed')");
    await page.waitForSelector(".task-history >> text=arno");
    expect(addresses.filter((address) => address.includes(tokens.author))).toEqual([]);
    expect(
      await page.evaluate("JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie])"),
    ).not.toContain(tokens.author);
    await page.reload();
    await page.waitForSelector("text=This server asks for a token");
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("keeps the token for the tab if the person asks for it, and forgets it when they sign out", async () => {
    const { page } = await signIn(tokens.author, true);
    await page.waitForSelector(".task-panel");
    await page.reload();
    await page.waitForSelector(".task-panel");
    await page.click("[aria-label=Settings]");
    await page.click("text=Sign out");
    await page.waitForSelector("text=This server asks for a token");
    expect(await page.evaluate("JSON.stringify({...sessionStorage})")).toBe("{}");
    await page.context().close();
  });

  it("offers an observer nothing that changes anything, and the server would refuse it", async () => {
    const { page, faults } = await signIn(tokens.observer);
    await page.waitForSelector(".who:has-text('read only')");
    await page.waitForSelector(".panel-state");
    expect(
      await page.locator(".task-acts, button:has-text('Add task'), button:has-text('Undo')").count(),
    ).toBe(0);
    for (const key of ["c", "e", "m", "n", "z", "b"]) await page.keyboard.press(key);
    expect(await page.locator("dialog").count()).toBe(0);
    const answer = (await page.evaluate(
      `fetch("./api/tools/task", { method: "POST", headers: { Authorization: "Bearer ${tokens.observer}", "Content-Type": "application/json" },
        body: JSON.stringify({ action: "complete", spec_id: "${spec}", task_id: "task-2-2" }) }).then((answer) => answer.json())`,
    )) as { success: boolean; data: { error_code: string } };
    expect([answer.success, answer.data.error_code]).toEqual([false, "FORBIDDEN"]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
