import { loadSettings } from "../config/load-settings.ts";
import type { SettingName } from "../config/settings.ts";
import { openLoadedServer } from "./open-loaded-server.ts";
import type { OpenServer } from "./opened-server.ts";

/** The folder from which the workspace of a server is searched, and settings that override all others. */
export interface ServerOptions {
  /** @default the current folder */
  readonly cwd?: string | undefined;
  /** Settings by their names in `foundry.toml`, as text: `{ specs_dir: "plans", tools: "all" }`. */
  readonly settings?: Readonly<Partial<Record<SettingName, string>>> | undefined;
}

/**
 * Opens the server of `foundry-mcp` in this process. Settings come from the options, the environment and
 * `foundry.toml`, as for the program. If there is no workspace, every call fails with the remedy until a workspace
 * exists.
 *
 * @example
 * const { registry, close } = await openServer({ cwd: "/home/ann/project" });
 * const envelope = await registry.call("spec", { action: "list" });
 * await close();
 */
export async function openServer({ cwd = process.cwd(), settings }: ServerOptions = {}): Promise<OpenServer> {
  const loaded = await loadSettings({ options: settings, env: process.env, cwd });
  const { registry, logger, close } = await openLoadedServer(loaded, cwd);
  return { registry, logger, close };
}
