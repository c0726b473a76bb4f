import { serializeEnvelope, successResponse } from "@foundry-mcp/contract";
import type { LoadedSettings } from "../config/load-settings.ts";
import { findOpener, thisDesktop } from "./browser/find-opener.ts";
import { findRunningPage } from "./browser/find-running-page.ts";
import { openBrowser } from "./browser/open-browser.ts";
import { findPort } from "./port/find-free-port.ts";
import { type ServeWords, serveWorkspace } from "./serve-workspace.ts";
import { locateWorkspace } from "./workspace-location.ts";

/** How `page` shows the page and its answer. */
export interface PageCommand {
  /** False to print the address only. */
  readonly opens: boolean;
  readonly output: "json" | "human";
  readonly words: Pick<ServeWords, "toPortCommand">;
  /** Loads the settings with another port, for a workspace whose port is taken by another program. */
  readonly loadWithPort: (port: number) => Promise<LoadedSettings>;
}

/**
 * Opens the page of a workspace in the browser. If no server of the workspace runs at the port of the settings, serves
 * the workspace until a signal ends the process.
 */
export async function runPage(loaded: LoadedSettings, cwd: string, command: PageCommand): Promise<void> {
  const { host, port } = loaded.values;
  const address = await findRunningPage({ host, port, workspace: locateWorkspace(loaded, cwd) });
  if (address === undefined) return serve(loaded, cwd, command);
  const opener = command.opens ? findOpener(thisDesktop()) : undefined;
  const isOpened = opener !== undefined && (await openBrowser(opener, address));
  const answer = { url: address, opened: isOpened };
  process.stdout.write(
    command.output === "json"
      ? `${serializeEnvelope(successResponse(answer))}\n`
      : `The page is at ${address}${isOpened ? " and opens in your browser" : ""}\n`,
  );
}

async function serve(
  loaded: LoadedSettings,
  cwd: string,
  { opens, words, loadWithPort }: PageCommand,
): Promise<void> {
  const { host, port } = loaded.values;
  const free = await findPort(host, port);
  // If no port is free, listening fails with a message that says why.
  const own = free === undefined || free === port || port === 0 ? loaded : await loadWithPort(free);
  await serveWorkspace(own, cwd, { ...words, page: opens ? "now" : undefined });
}
