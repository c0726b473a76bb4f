import { createRegistry, type RegistryOptions } from "@foundry-mcp/toolkit";
import { openFlags } from "@foundry-mcp/toolkit/flags";
import { createRateLimiter } from "@foundry-mcp/toolkit/limits";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { policyFlags, policyTools } from "./policy-tools.ts";
import { silentLogger } from "./silent-logger.ts";

/** The options set by the test: some options of the registry, a rate limit and overridden flags. */
interface PolicyOptions extends Pick<RegistryOptions, "role" | "tier" | "dialect" | "dialects"> {
  readonly limit?: number;
  readonly overrides?: Readonly<Record<string, boolean>>;
}

const { limit, overrides = {}, ...options } = JSON.parse(process.argv[2] ?? "{}") as PolicyOptions;
const flags = await openFlags({ flags: policyFlags, overrides });
const limits = limit === undefined ? {} : { rateLimiter: createRateLimiter({ limit, periodSeconds: 3_600 }) };
serveStdio(
  createRegistry({
    name: "policies",
    version: "1.0.0",
    tools: policyTools,
    flags,
    logger: silentLogger,
    ...limits,
    ...options,
  }),
);
