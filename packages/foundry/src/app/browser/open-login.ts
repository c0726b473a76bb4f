import { findOpener, thisDesktop } from "./find-opener.ts";
import { openBrowser } from "./open-browser.ts";

/**
 * Asks the user to open the page of a login, and opens it in the browser of the desktop if there is one. A server
 * chooses the address, so only an address of the web is opened.
 */
export function openLoginPage(page: URL): void {
  process.stderr.write(`Open this page to log in:\n  ${page.href}\n`);
  const opener = /^https?:$/.test(page.protocol) ? findOpener(thisDesktop()) : undefined;
  if (opener !== undefined) void openBrowser(opener, page.href);
}
