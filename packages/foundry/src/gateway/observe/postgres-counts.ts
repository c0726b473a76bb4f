import { randomUUID } from "node:crypto";
import { isRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { Database } from "../../postgres/database.ts";
import type { CallCounts } from "./call-counts.ts";
import type { CountsByServer, SharedCounts } from "./shared-counts.ts";

/** A gateway that has not stored its counts for this time is not running any more. */
const maxSilence = "60 seconds";

/** Creates the counts of one gateway in a database, beside those of the other gateways of its workspace. */
export function createPostgresCounts(database: Database, workspace: number): SharedCounts {
  const process = randomUUID();
  return {
    async exchange(own) {
      const rows = await database.query<{ readonly counts: string }>("count calls of the gateway", {
        name: "foundry_gateway_exchange",
        text: `WITH own AS (
            INSERT INTO foundry.gateway (workspace, process, seen_at, counts) VALUES ($1, $2, now(), $3)
            ON CONFLICT (workspace, process) DO UPDATE SET seen_at = now(), counts = excluded.counts
          ), ended AS (
            DELETE FROM foundry.gateway
            WHERE workspace = $1 AND process <> $2 AND seen_at < now() - interval '1 hour'
          )
          SELECT counts FROM foundry.gateway
          WHERE workspace = $1 AND process <> $2 AND seen_at > now() - interval '${maxSilence}'`,
        values: [workspace, process, JSON.stringify(own)],
      });
      return rows.map(({ counts }) => parseCounts(counts));
    },
    async close() {
      await database.query("end the counts of the gateway", {
        text: "DELETE FROM foundry.gateway WHERE workspace = $1 AND process = $2",
        values: [workspace, process],
      });
    },
  };
}

/** Parses the counts of another gateway; members that are no counts are left out, because versions may differ. */
function parseCounts(text: string): CountsByServer {
  const value = parseJsonText(text);
  return Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).filter((entry): entry is [string, CallCounts] =>
      isCounts(entry[1]),
    ),
  );
}

function isCounts(value: unknown): value is CallCounts {
  if (!isRecord(value) || !isRecord(value["failures"])) return false;
  const { calls, chars_before, chars_after, failures } = value;
  return [calls, chars_before, chars_after, ...Object.values(failures)].every(Number.isSafeInteger);
}
