import { homedir } from "node:os";
import { join } from "node:path";

/** Where programs keep what they can find out again. */
export function toCacheFolder({ XDG_CACHE_HOME: cache }: NodeJS.ProcessEnv): string {
  return join(cache === undefined || cache === "" ? join(homedir(), ".cache") : cache, "foundry-mcp");
}
