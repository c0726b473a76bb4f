import { fileURLToPath } from "node:url";

// The compiled script is one folder deeper than its source.
const root = new URL(import.meta.url.includes("/.build/") ? "../../" : "../", import.meta.url);
const at = (path: string) => fileURLToPath(new URL(path, root));

/** The path of the bundled program. Bundled programs start in a quarter of the time. */
export const foundryCli = at("packages/foundry/bin/foundry-cli.cjs");
export const foundryMcp = at("packages/foundry/bin/foundry-mcp.cjs");

/** The folder in which programs under test store compiled code, outside the folders that tests inspect. */
export const cacheHome = at(".build/test-cache");

/**
 * The home folder of programs under test. It is not the workspace, because servers read no documents from a workspace
 * that is a home folder.
 */
export const emptyHome = at(".build/test-home");
