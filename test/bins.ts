import { fileURLToPath } from "node:url";

// A compiled script lies one folder deeper than its source.
const root = new URL(import.meta.url.includes("/.build/") ? "../../" : "../", import.meta.url);
const at = (path: string) => fileURLToPath(new URL(path, root));

/** The programs as they are installed: bundled, which starts them in a quarter of the time. */
export const foundryCli = at("packages/foundry/bin/foundry-cli.cjs");
export const foundryMcp = at("packages/foundry/bin/foundry-mcp.cjs");

/** Where programs under test keep compiled code: in no folder that a test looks at. */
export const cacheHome = at(".build/test-cache");

/** The home folder of programs under test: servers read no documents of a workspace that is a home folder. */
export const emptyHome = at(".build/test-home");
