import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileArchive } from "@foundry-mcp/toolkit/archive";
import { openFlags } from "@foundry-mcp/toolkit/flags";
import { createRateLimiter } from "@foundry-mcp/toolkit/limits";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { createBenchRegistry } from "./bench-registry.ts";

// The registry enables every policy: a flag, a tier, a role, a quota that is never used up, and a budget with an
// archive.
const flags = await openFlags({ flags: { look_up: { state: "stable", default: true } } });
const archive = createFileArchive({ folder: mkdtempSync(join(tmpdir(), "bench-archive-")) });

serveStdio(
  createBenchRegistry(
    {
      flags,
      rateLimiter: createRateLimiter({ limit: 1_000_000_000, periodSeconds: 86_400 }),
      role: "observer",
      tier: "enterprise",
      budget: { maxTokens: 20_000, archive },
    },
    { flag: "look_up", tier: "pro" },
  ),
);
