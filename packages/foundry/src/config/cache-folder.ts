import { homedir } from "node:os";
import { join } from "node:path";

/** Returns the folder for data that can be computed again. */
export function toCacheFolder({ XDG_CACHE_HOME: cache }: NodeJS.ProcessEnv): string {
  return join(cache === undefined || cache === "" ? join(homedir(), ".cache") : cache, "foundry-mcp");
}
