import type { Logger } from "@foundry-mcp/toolkit";
import { type ContentArchive, createFileArchive, createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import type { RateLimiter } from "@foundry-mcp/toolkit/limits";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { SharedCounts } from "../gateway/observe/shared-counts.ts";
import { createLimiter } from "./create-limiter.ts";
import type { OpenWorkspace } from "./open-workspace.ts";

/** What a gateway keeps: in its memory and in files, or in a database together with other gateways. */
export interface GatewayStorage {
  readonly archive: ContentArchive;
  readonly rateLimiter: RateLimiter | undefined;
  readonly sharedCounts: SharedCounts | undefined;
  close(): Promise<void>;
}

/** The tool of the gateway itself; a tool of a server with the name of another own tool of ours has a limit. */
const unlimited = ["gateway"];

/**
 * Opens the storage that the settings name. `beside` is the open workspace of the specs that the same process serves.
 */
export async function openGatewayStorage(
  loaded: LoadedSettings,
  logger: Logger,
  beside?: OpenWorkspace | undefined,
): Promise<GatewayStorage> {
  const { store, archive_dir: folder } = loaded.values;
  if (store === "file") {
    const archive = folder === undefined ? createMemoryArchive() : createFileArchive({ folder });
    const rateLimiter = createLimiter(loaded.values, { open: async () => undefined, unlimited });
    return { archive, rateLimiter, sharedCounts: undefined, close: async () => {} };
  }
  const workspace = beside ?? (await openOwn(loaded, logger));
  let counts: SharedCounts | undefined;
  return {
    archive: workspace.archive,
    rateLimiter: createLimiter(loaded.values, {
      open: async () => {
        const { rateLimits } = await workspace.storage("write");
        // The tools of a gateway may have the names of the server's own tools.
        return rateLimits && { ...rateLimits, prefix: `${rateLimits.prefix} gateway` };
      },
      logger,
      unlimited,
    }),
    sharedCounts: {
      exchange: async (own) => {
        counts = (await workspace.storage("write")).callCounts;
        return counts?.exchange(own) ?? [];
      },
      // Without an exchange there is nothing to remove, so an unavailable database does not delay the end.
      close: async () => counts?.close(),
    },
    async close() {
      if (beside === undefined) await workspace.close();
    },
  };
}

/** Opens the workspace of a gateway that is served alone; gateways without a database do not load this code. */
async function openOwn(loaded: LoadedSettings, logger: Logger): Promise<OpenWorkspace> {
  const [{ openWorkspace }, { requireDatabase }] = await Promise.all([
    import("./open-workspace.ts"),
    import("./open-loaded-server.ts"),
  ]);
  const workspace = openWorkspace(async () => loaded, process.cwd(), { setsUp: true });
  await requireDatabase(workspace, logger);
  return workspace;
}
