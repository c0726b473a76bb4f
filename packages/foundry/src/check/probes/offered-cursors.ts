import type { Ledger } from "../findings/ledger.ts";
import type { Coverage } from "../observe/coverage.ts";
import type { Subject } from "../observe/definition.ts";
import { takesCursor } from "./paging-parameters.ts";

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
