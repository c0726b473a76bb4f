import type { Ledger } from "../findings/ledger.ts";
import type { Coverage } from "../observe/coverage.ts";
import type { Subject } from "../observe/definition.ts";
import { evidenceOf, toEvidence } from "../observe/evidence.ts";
import { type RowsPath, rowsOf } from "./list-rows.ts";
import { takesCursor } from "./paging-parameters.ts";
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

/** Holds tools that take a cursor to sending one: a parameter that nothing honours is a lie. */
export function judgeCursors(subjects: readonly Subject[], coverage: Coverage, ledger: Ledger): void {
  for (const tool of new Set(subjects.map((subject) => subject.tool))) {
    const own = subjects.filter((subject) => subject.tool === tool);
    if (own[0] === undefined || !takesCursor(own[0].definition)) continue;
    if (coverage.isPaged(tool)) ledger.keep("MCP-48");
    else if (own.every((subject) => coverage.isSeen(subject)))
      ledger.break("MCP-48", { tool, message: "it takes a cursor, and no answer carries meta.pagination" });
    else ledger.skip("MCP-48", `${tool} takes a cursor, and not all of its actions could be called`);
  }
}
