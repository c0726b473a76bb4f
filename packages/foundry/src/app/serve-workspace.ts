import type { Registry } from "@foundry-mcp/toolkit";
import { openStderrLogger } from "@foundry-mcp/toolkit/stdio";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { findOpener, thisDesktop } from "./browser/find-opener.ts";
import { offerBrowser } from "./browser/offer-browser.ts";
import { openBrowser } from "./browser/open-browser.ts";
import { listenWithSettings } from "./listen-with-settings.ts";
import { openLoadedServer } from "./open-loaded-server.ts";
import { openPage } from "./open-page.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import type { ToPortCommand } from "./port/taken-port.ts";
import { locateWorkspace } from "./workspace-location.ts";

/** The texts for the user who starts a server, and how the page is opened. */
export interface ServeWords {
  readonly toPortCommand: ToPortCommand;
  /** Lines printed after the lines on how to connect. @default none */
  readonly toHints?: ((url: string) => readonly string[]) | undefined;
  /** The file of the servers behind a gateway that is served at `/gateway`. @default no gateway */
  readonly gatewayFile?: string | undefined;
  /** "now" opens the page in the browser; "offer" opens it when the user presses Enter. @default not opened */
  readonly page?: "now" | "offer" | undefined;
}

/** Serves a workspace over HTTP until a signal ends the process. Prints the URL and how to connect on stderr. */
export async function serveWorkspace(loaded: LoadedSettings, cwd: string, words: ServeWords): Promise<void> {
  // The workspace is checked at start, because a person starts this server and can read the error.
  locateWorkspace(loaded, cwd);
  const { registry, logger, workspace, close } = await openLoadedServer(loaded, cwd, { setsUp: true });
  const gateway = await openGatewayBeside(registry, loaded, words.gatewayFile, workspace);
  const closeAll = async () => {
    await gateway?.close();
    await close();
  };
  const server = await listenWithSettings(registry, loaded, {
    logger,
    toPortCommand: words.toPortCommand,
    routes: openPage(registry, workspace, gateway?.registry),
    ...(gateway === undefined ? {} : { mounted: { "/gateway": gateway.registry } }),
  }).catch(async (thrown: unknown) => {
    await closeAll();
    throw thrown;
  });
  const address = `${server.url}/`;
  const opener = words.page === undefined ? undefined : findOpener(thisDesktop());
  const isOffered = words.page === "offer" && opener !== undefined && process.stdin.isTTY;
  const endOffer = isOffered ? offerBrowser(opener, address, process.stdin) : () => {};
  // The storage is closed after the last response is sent.
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => {
      endOffer();
      void server
        .close()
        .then(closeAll)
        .catch((err: unknown) => logger.error({ err }, "server end"));
    });
  const lines = [
    `The page is at ${address}${isOffered ? " (press Enter to open it in your browser)" : ""}`,
    `Foundry serves MCP at ${server.url}/mcp`,
    `  claude mcp add --transport http foundry-mcp ${server.url}/mcp`,
    ...(gateway === undefined ? [] : [`The gateway serves MCP at ${server.url}/gateway/mcp`]),
    ...(words.toHints?.(server.url) ?? []),
  ];
  process.stderr.write(lines.map((line) => `${line}\n`).join(""));
  if (words.page === "now" && opener !== undefined) await openBrowser(opener, address);
}

/**
 * Opens the gateway that is served beside the specs. The state of the gateway is at `/api/tools/gateway`, for the
 * page and for `gateway status`.
 */
async function openGatewayBeside(
  registry: Registry,
  loaded: LoadedSettings,
  file: string | undefined,
  workspace: OpenWorkspace,
): Promise<Gateway | undefined> {
  if (file === undefined) return undefined;
  const [{ openSource }, { createStatusTool }] = await Promise.all([
    import("./run-gateway.ts"),
    import("../gateway/tools/status-tool.ts"),
  ]);
  const gateway = await openSource(
    { config: file, command: [] },
    loaded,
    await openStderrLogger(loaded.values.log_level),
    { beside: workspace },
  );
  registry.addTool({ ...createStatusTool(() => gateway.readStatus()), surfaces: ["api"] });
  return gateway;
}
