import { evidenceOf, toEvidence } from "../observe/evidence.ts";
import { type RowsPath, rowsOf } from "./find-rows.ts";
import type { Probing } from "./probe.ts";
import type { Walk, WalkedPage } from "./walk-pages.ts";

/** Holds every page of a walk to saying truly whether there is more. */
export function judgeEnds({ pages, end }: Walk, { ledger }: Pick<Probing, "ledger">): void {
  for (const page of pages) judgeEnd(page, ledger);
  const last = pages.at(-1);
  if (end !== "circle" || last === undefined) return;
  ledger.break("MCP-46", {
    ...evidenceOf(last.observation, "the cursor came before: the pages go round in a circle"),
    path: "$.meta.pagination.cursor",
  });
}

function judgeEnd({ observation, pagination }: WalkedPage, ledger: Probing["ledger"]): void {
  const { cursor, has_more: hasMore } = pagination;
  const hasCursor = typeof cursor === "string" && cursor !== "";
  const message = `has_more is ${hasMore} and cursor is ${hasCursor ? "a text" : String(cursor)}`;
  const evidence = { path: "$.meta.pagination", evidence: toEvidence(pagination) };
  ledger.hold("MCP-46", hasCursor === hasMore ? undefined : evidenceOf(observation, message, evidence));
}

/** Holds every page of a walk to the limit that was asked for. */
export function judgeLimit(
  { pages, limit }: Walk,
  path: RowsPath,
  { ledger }: Pick<Probing, "ledger">,
): void {
  if (limit === undefined) return;
  for (const page of pages) {
    const { length } = rowsOf(page, path);
    const message = `limit is ${limit}, and ${length} rows came`;
    ledger.hold("MCP-45", length > limit ? evidenceOf(page.observation, message) : undefined);
  }
}
