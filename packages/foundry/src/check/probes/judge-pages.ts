import type { Ledger } from "../findings/ledger.ts";
import type { Coverage } from "../observe/coverage.ts";
import type { Operation } from "../observe/definition.ts";
import { evidenceOf, toEvidence } from "../observe/evidence.ts";
import { type RowsPath, rowsOf } from "./list-rows.ts";
import { takesCursor } from "./paging-parameters.ts";
import type { Walk, WalkedPage } from "./walk-pages.ts";

/** Checks that every page states correctly whether there are more pages. */
export function judgeHasMore({ pages, end }: Walk, ledger: Ledger): void {
  for (const page of pages) judgePage(page, ledger);
  const last = pages.at(-1);
  if (end !== "cycle" || last === undefined) return;
  ledger.fail("MCP-46", {
    ...evidenceOf(last.observation, "the cursor was returned before: the pages form a cycle"),
    path: "$.meta.pagination.cursor",
  });
}

function judgePage({ observation, pagination }: WalkedPage, ledger: Ledger): void {
  const { cursor, has_more: hasMore } = pagination;
  const hasCursor = typeof cursor === "string" && cursor !== "";
  const message = `has_more is ${hasMore} and cursor is ${hasCursor ? "a text" : String(cursor)}`;
  const evidence = { path: "$.meta.pagination", evidence: toEvidence(pagination) };
  ledger.record("MCP-46", hasCursor === hasMore ? undefined : evidenceOf(observation, message, evidence));
}

/** Checks that no page has more rows than the limit. */
export function judgeLimit({ pages, limit }: Walk, path: RowsPath, ledger: Ledger): void {
  if (limit === undefined) return;
  for (const page of pages) {
    const { length } = rowsOf(page, path);
    const message = `limit is ${limit}, and ${length} rows came`;
    ledger.record("MCP-45", length > limit ? evidenceOf(page.observation, message) : undefined);
  }
}

/** Checks that every tool with a cursor parameter also sends cursors. */
export function judgeOfferedCursors(
  operations: readonly Operation[],
  coverage: Coverage,
  ledger: Ledger,
): void {
  for (const tool of new Set(operations.map((operation) => operation.tool))) {
    const own = operations.filter((operation) => operation.tool === tool);
    if (own[0] === undefined || !takesCursor(own[0].definition)) continue;
    if (coverage.hasPages(tool)) ledger.pass("MCP-48");
    else if (own.every((operation) => coverage.hasSucceeded(operation)))
      ledger.fail("MCP-48", { tool, message: "it takes a cursor, and no answer carries meta.pagination" });
    else ledger.skip("MCP-48", `${tool} takes a cursor, and not all of its actions could be called`);
  }
}
